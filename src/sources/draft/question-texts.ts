/**
 * Questions of drafts. A source file has only their English text, so what writes a text and what knows it again stand together: the German
 * text, and the answers by a click.
 */
import type { Text } from '../../catalogue/texts/presentation.ts';
import type { Step } from '../source-file.ts';

/** Steps that bring numbers into the unit of their target, if a person says that they are in another one. */
const units = {
  squareFeet: {
    steps: [{ multiply: 0.09290304 }, { round: 2 }],
    answer: { en: 'The values are square feet', de: 'Die Werte sind Quadratfuß' },
    asks: 'whether the area is in square feet',
  },
  cents: {
    steps: [{ multiply: 0.01 }],
    answer: { en: 'The values are cents', de: 'Die Werte sind Cent' },
    asks: 'are the amounts in cents',
  },
} as const satisfies Readonly<Record<string, { readonly steps: readonly Step[]; readonly answer: Text; readonly asks: string }>>;

type UnitName = keyof typeof units;

export const unitSteps = (unit: UnitName): Step[] => [...units[unit].steps];

const stated = (unit: UnitName): string =>
  `[${units[unit].steps.map((step) => `{ ${Object.entries(step).map(([name, value]) => `${name}: ${value}`)} }`).join(', ')}]`;

const lastRow = 'latest: $position';

const rightFormats = {
  en: '"{sample}" can be {whole} with formats { decimalChar: ",", groupChar: "." } or { groupChar: "," }, and it can have decimals. State formats that are right for all values.',
  de: '„{sample}“ kann {whole} sein, mit formats { decimalChar: ",", groupChar: "." } oder { groupChar: "," }, und es kann Nachkommastellen haben. Geben Sie formats an, die für alle Werte stimmen.',
};

/** The names of values are in braces. */
const questions = {
  squareFeet: {
    en: `{column}: the list has American forms and does not say ${units.squareFeet.asks}. State apply: ${stated('squareFeet')}, or nothing for square metres.`,
    de: `{column}: Die Liste hat amerikanische Schreibweisen und sagt nicht, ob die Fläche in Quadratfuß angegeben ist. Geben Sie apply: ${stated('squareFeet')} an, oder nichts für Quadratmeter.`,
  },
  cents: {
    en: `{column}: ${units.cents.asks}, such as {example}? Then state apply: ${stated('cents')}; otherwise remove this question`,
    de: `{column}: Sind die Beträge in Cent angegeben, etwa {example}? Geben Sie dann apply: ${stated('cents')} an. Sonst ist nichts zu ändern`,
  },
  fillDown: {
    en: '{column} is empty in most rows below a value. If a value counts for the rows below it, state fillDown; otherwise remove this question',
    de: '{column} ist in den meisten Zeilen unter einem Wert leer. Gilt ein Wert auch für die Zeilen darunter? Sonst ist nichts zu ändern',
  },
  repeatedKey: {
    en: `{unique} of {rows} rows are unique; {repeats} repeat a key: line {lines}. Correct these lines, state further columns in primaryKey, or ${lastRow} if the last one counts`,
    de: '{unique} von {rows} Zeilen sind eindeutig; {repeats} wiederholen einen Schlüssel: Zeile {lines}. Berichtigen Sie diese Zeilen, nennen Sie weitere Spalten in primaryKey, oder die letzte Zeile gilt',
  },
  belongsAbove: {
    en: 'line {line} has only "{words}". Does it belong to the row above, such as a second tenant? Then write it there; otherwise remove this question, and the line is left out',
    de: 'Zeile {line} hat nur „{words}“. Gehört sie zur Zeile darüber, etwa als zweiter Mieter? Schreiben Sie sie dann dorthin. Sonst wird die Zeile ausgelassen',
  },
  belongAbove: {
    en: 'line {line} has only "{words}", and {more} more lines are like it. Does it belong to the row above, such as a second tenant? Then write it there; otherwise remove this question, and the line is left out',
    de: 'Zeile {line} hat nur „{words}“, und {more} weitere Zeilen sind so. Gehört sie zur Zeile darüber, etwa als zweiter Mieter? Schreiben Sie sie dann dorthin. Sonst wird die Zeile ausgelassen',
  },
  noRow: {
    en: 'line {line} ("{words}") is no row like the others. State a condition in skip',
    de: 'Zeile {line} („{words}“) ist keine Zeile wie die anderen. Geben Sie in skip eine Bedingung an',
  },
  netOrGross: {
    en: '{column} can be the net or the gross amount. Map it to the right one',
    de: '{column} kann der Netto- oder der Bruttobetrag sein. Ordnen Sie die Spalte dem richtigen zu',
  },
  noVat: {
    en: 'the list has no VAT, so each charge has the rate 0 here. If no rent has VAT, remove this question; otherwise state vat_rate, vat_amount and gross_amount',
    de: 'Die Liste hat keine Umsatzsteuer, deshalb hat jede Forderung hier den Satz 0. Hat keine Miete Umsatzsteuer, ist das richtig. Geben Sie sonst vat_rate, vat_amount und gross_amount an',
  },
  isTenant: {
    en: '{column}: is "{value}" a tenant? If the unit is vacant, add the text to codes of occupancy_status_key and to skip of the other tables',
    de: '{column}: Ist „{value}“ ein Mieter? Steht die Einheit leer, tragen Sie den Text in codes von occupancy_status_key und in skip der anderen Tabellen ein',
  },
  otherTable: {
    en: 'the list has also columns of {other}: {columns}. If a row is a {table}, remove this question; otherwise add an entry for {other}',
    de: 'Die Liste hat auch Spalten von {other}: {columns}. Ist eine Zeile eine von {table}, ist das richtig. Ergänzen Sie sonst einen Eintrag für {other}',
  },
  streetAndNumber: {
    en: '{both} of {all} values look like a street and its number, such as "{example}". Are these two facts? Then state part: street, and house_no with part: houseNumber; otherwise remove this question',
    de: '{both} von {all} Werten sehen aus wie Straße und Hausnummer, etwa „{example}“. Sind es zwei Angaben? Sonst ist nichts zu ändern',
  },
  postalCodeAndCity: {
    en: '{both} of {all} values look like a postal code and a city, such as "{example}". Are these two facts? Then state part: city, and postal_code with part: postalCode; otherwise remove this question',
    de: '{both} von {all} Werten sehen aus wie Postleitzahl und Ort, etwa „{example}“. Sind es zwei Angaben? Sonst ist nichts zu ändern',
  },
  wholeNames: {
    en: 'values look like whole names, such as "{example}". State part: lastName here and first_name with part: firstName, if the last word or the one before a comma is the last name; for companies, state company_name with a condition; if these are last names alone, remove this question',
    de: 'Die Werte sehen aus wie ganze Namen, etwa „{example}“. Ist das letzte Wort oder das vor einem Komma der Nachname? Für Firmen geben Sie company_name mit einer Bedingung an. Sind es nur Nachnamen, ist nichts zu ändern',
  },
  isProperty: {
    en: '{column}: the export has no properties beside its buildings. If a building is a property here, remove this question',
    de: '{column}: Der Export hat neben den Gebäuden keine Objekte. Ist hier ein Gebäude ein Objekt, ist das richtig',
  },
  twoOrders: {
    en: '{column}: days in two orders, "{day}" and "{month}". Correct the export, or leave the column out.',
    de: '{column}: Tage in zwei Reihenfolgen, „{day}“ und „{month}“. Berichtigen Sie den Export, oder lassen Sie die Spalte weg.',
  },
  dayOrMonth: {
    en: '{column}: nothing in the export says whether "{example}" begins with the day or with the month. State dateFormats: ["{first}"] or ["{second}"].',
    de: '{column}: Nichts im Export sagt, ob „{example}“ mit dem Tag oder mit dem Monat beginnt.',
  },
  shortYears: {
    en: '{column}: years of two digits are from 1969 to 2068, so "{year}" is read as {read}. Write years of four digits, or leave the column out.',
    de: '{column}: Jahre mit zwei Ziffern liegen zwischen 1969 und 2068, deshalb wird „{year}“ als {read} gelesen. Schreiben Sie Jahre mit vier Ziffern, oder lassen Sie die Spalte weg.',
  },
  twoForms: {
    en: '{column}: there are numbers in two forms, {examples}. Correct the export, or state formats that are right for all values.',
    de: '{column}: Es gibt Zahlen in zwei Schreibweisen, {examples}. Berichtigen Sie den Export, oder geben Sie formats an, die für alle Werte stimmen.',
  },
  bothSeparators: {
    en: `{column}: both "." and "," stand before three digits. ${rightFormats.en}`,
    de: `{column}: Sowohl „.“ als auch „,“ stehen vor drei Ziffern. ${rightFormats.de}`,
  },
  twoFormsHere: {
    en: `{column}: "{one}" and "{two}" are numbers in two forms. ${rightFormats.en}`,
    de: `{column}: „{one}“ und „{two}“ sind Zahlen in zwei Schreibweisen. ${rightFormats.de}`,
  },
  otherForms: {
    en: `{column}: there are numbers in two forms. ${rightFormats.en}`,
    de: `{column}: Es gibt Zahlen in zwei Schreibweisen. ${rightFormats.de}`,
  },
  otherColumns: {
    en: `{column}: other columns have the form of {evidence}, but then the values cannot be. ${rightFormats.en}`,
    de: `{column}: Andere Spalten schreiben Zahlen anders, aber dann können diese Werte nicht stimmen. ${rightFormats.de}`,
  },
  separator: {
    en: `{column}: nothing in the export says what the separator means. ${rightFormats.en}`,
    de: `{column}: Nichts im Export sagt, was das Trennzeichen bedeutet. ${rightFormats.de}`,
  },
} as const satisfies Readonly<Record<string, Text>>;

export type QuestionName = keyof typeof questions;
export const questionNames = Object.keys(questions) as readonly QuestionName[];

type Values = Readonly<Record<string, string | number>>;

const value = /\{(\w+)\}/g;

const filled = (text: string, values: Values): string => text.replaceAll(value, (_, name: string) => String(values[name] ?? ''));

/** The question as a source file has it. */
export const questionText = (name: QuestionName, values: Values = {}): string => filled(questions[name].en, values);

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Finds a question at the beginning of a text. A value that stands twice is the same. */
const patternOf = (text: string): RegExp => {
  const seen = new Set<string>();
  const parts = text.split(value).map((part, index) => {
    if (index % 2 === 0) return escaped(part);
    if (seen.has(part)) return `\\k<${part}>`;
    seen.add(part);
    return `(?<${part}>.+?)`;
  });
  return new RegExp(`^${parts.join('')}(?:\\. (?<rest>.+))?$`, 's');
};

const patterns = questionNames.map((name) => ({ name, pattern: patternOf(questions[name].en) }));

/** A longer text is of a person. */
const longest = 2_000;

/** The questions in German; undefined if a person wrote one of them. */
export const germanQuestion = (text: string): string | undefined => {
  if (text.length > longest) return undefined;
  for (const { name, pattern } of patterns) {
    const found = pattern.exec(text);
    if (!found) continue;
    const { rest, ...values } = found.groups ?? {};
    const german = filled(questions[name].de, values);
    if (rest === undefined) return german;
    const others = germanQuestion(rest);
    if (others !== undefined) return `${german}. ${others}`;
  }
  return undefined;
};

/** The units that a question asks about, each with its answer. */
export const unitsAskedIn = (question: string): readonly (typeof units)[UnitName][] =>
  Object.values(units).filter(({ asks }) => question.includes(asks));

/** The column that a question asks to fill down. */
export const fillDownAskedIn = (question: string): string | undefined =>
  /(?:^|\. )(.+?) is empty in most rows below a value/.exec(question)?.[1];

/** Whether a question asks which of the rows with one key counts. */
export const asksForLastRow = (question: string): boolean => question.includes(lastRow);

/** Whether a question asks in which form numbers or days are written. */
export const asksForFormats = (question: string): boolean => /formats/i.test(question);
