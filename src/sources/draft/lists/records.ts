/**
 * Which rows of a list are records. Sums, headings of groups, titles and repeated headers stand between them. Each is named by what it is and
 * never by its position, because the next export has other rows.
 */

import { shown } from '../../../sync/files/rejections.ts';
import { rowFilter } from '../../columns/conditions.ts';
import { withGroups } from '../../columns/groups.ts';
import { bareOf } from '../../columns/numbers.ts';
import { RowColumns, RowKeys } from '../../columns/row-columns.ts';
import type { Condition, HeadingRule } from '../../source-file.ts';
import type { Cell, SourceRow } from '../../source-rows.ts';
import { contentsOf, isTelling } from '../forms/contents.ts';
import { dateFormsOf } from '../forms/date-forms.ts';
import { numberFormsOf } from '../forms/number-forms.ts';
import { questionText } from '../question-texts.ts';
import { meaningsOf } from '../words/words.ts';

export interface Records {
  readonly rows: readonly SourceRow[];
  readonly columns: readonly string[];
  readonly skip: readonly Condition[];
  readonly fillDown: readonly string[];
  readonly headings: readonly HeadingRule[];
  /** Lines of which nobody knows what they are. */
  readonly questions: readonly string[];
}

export const textOf = (cell: Cell | undefined): string =>
  cell === null || cell === undefined ? '' : cell instanceof Date ? cell.toISOString().slice(0, 10) : String(cell).trim();

const sumWord =
  /^(?:(?:(?:zwischen|zw|end|teil|unter|haupt|gesamt)[\s.-]*)?summen?|gesamt(?:summe|betrag|ergebnis|total|zahl|fläche|miete)?|(?:sub|grand|report|gesamt|eind|zwischen)?[ -]?tota(?:ls?|al|len|le)|sums?|insgesamt|übertrag|uebertrag)(?![\p{L}-])/iu;
const sumEnd = /(?:^|[\s:])(?:gesamt|summen?|totals?|totaal|insgesamt)\s*:?$/i;
const isSum = (text: string): boolean => sumWord.test(text) || sumEnd.test(text);

const isValue = (text: string): boolean => numberFormsOf([text]) !== undefined || dateFormsOf([text]) !== undefined;
const sameText = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

interface Lines {
  readonly columns: readonly string[];
  readonly rows: readonly SourceRow[];
  readonly texts: readonly (readonly string[])[];
}

/** How many values a row of records has at least, and the columns that nearly all records fill. */
const bodyOf = ({ columns, texts }: Lines) => {
  const counts = texts.map((row) => row.filter((text) => text !== '').length);
  const sorted = [...counts].sort((a, b) => a - b);
  const usual = sorted[Math.floor(sorted.length * 0.6)] ?? 0;
  const wide = texts.filter((_, index) => counts[index]! >= usual * 0.5);
  const full = columns.flatMap((_, at) => (wide.filter((row) => (row[at] ?? '') !== '').length >= wide.length * 0.9 ? [at] : []));
  return { counts, usual, full };
};

/** The number of a text if its last separator is this one. */
const numberOf = (text: string, decimal: string): number | undefined => {
  const { digits, sign } = bareOf(text, { bareNumber: false, trailingMinus: true, parentheses: true });
  if (!/^\d[\d.,' ]*$/.test(digits)) return undefined;
  const [whole = '', fraction = '0', ...more] = digits.split(decimal);
  return more.length > 0 ? undefined : Number(`${sign}${whole.replaceAll(/\D/g, '') || '0'}.${fraction.replaceAll(/\D/g, '') || '0'}`);
};

/** The rows of a column whose number is the sum of the rows above: of all, or of those since the last sum. Few digits are chance. */
const sumsOfColumn = (texts: readonly string[], decimal: string): readonly number[] => {
  let [all, group, above] = [0, 0, 0];
  return texts.flatMap((text, index) => {
    const value = numberOf(text, decimal);
    if (value === undefined) return [];
    const isSame = (sum: number) => above >= 2 && text.replaceAll(/\D/g, '').length >= 4 && Math.abs(sum - value) < 0.005;
    if (isSame(all) || isSame(group)) {
      group = 0;
      return [index];
    }
    all += value;
    group += value;
    above++;
    return [];
  });
};

/** Rows of which at least half of the numbers are sums of the rows above, in two columns, or in the only one. */
const arithmeticSums = ({ columns, texts }: Lines): ReadonlySet<number> => {
  const proofs = texts.map(() => 0);
  for (const at of columns.keys()) {
    const column = texts.map((row) => row[at] ?? '');
    for (const index of new Set(['.', ','].flatMap((decimal) => sumsOfColumn(column, decimal)))) proofs[index]! += 1;
  }
  return new Set(
    proofs.flatMap((count, index) => {
      if (count === 0) return [];
      const numbers = texts[index]!.filter((text) => numberFormsOf([text]) !== undefined).length;
      return count * 2 >= numbers && (count >= 2 || numbers === 1) ? [index] : [];
    }),
  );
};

type Kind = 'record' | 'header' | 'sum' | 'heading' | 'other';

const kindsOf = (lines: Lines): readonly Kind[] => {
  const { columns, texts } = lines;
  const { counts, usual, full } = bodyOf(lines);
  const names = columns.map(sameText);
  const sumsIn = columns.map((_, at) => texts.filter((row) => isSum(row[at] ?? '')).length);
  const proven = arithmeticSums(lines);
  return texts.map((row, index) => {
    const filled = row.flatMap((text, at) => (text === '' ? [] : [at]));
    const asHeader = filled.filter((at) => sameText(row[at]!) === names[at]?.replace(/ \(\d+\)$/, ''));
    if (filled.length > 1 && asHeader.length >= filled.length * 0.8) return 'header';
    const lacks = full.filter((at) => (row[at] ?? '') === '').length;
    const sums = filled.filter((at) => isSum(row[at]!) && sumsIn[at]! <= Math.max(1, texts.length * 0.5));
    if (sums.length > 0 && (lacks > 0 || full.length === 0 || (filled.length < usual && filled.some((at) => isValue(row[at]!)))))
      return 'sum';
    // A row that lacks what records have, and has their sums.
    if (counts[index]! < usual && proven.has(index)) return 'sum';
    const isNarrow = counts[index]! <= Math.max(1, usual * 0.34) && (lacks * 2 >= full.length || full.length === 0);
    if (!isNarrow || texts.length < 3 || usual < 2) return 'record';
    return filled.length <= 2 && filled.every((at) => !isValue(row[at]!)) && filled[0]! <= 1 ? 'heading' : 'other';
  });
};

/** A label and its colon: `Objekt: LIN 7`. */
const labelled = /^(\p{L}[\p{L} .-]{1,24}:\s*)\S/u;

/** Headings that name the group of the rows below: they begin with the same label, and the label names a property, a unit or a tenant. */
const headingsOf = (
  { columns, texts }: Lines,
  kinds: readonly Kind[],
): { readonly headings: HeadingRule[]; readonly lines: ReadonlySet<number> } => {
  const found = new Map<string, { at: number; startsWith: string; lines: number[] }>();
  texts.forEach((row, index) => {
    if (kinds[index] !== 'heading') return;
    const at = row.findIndex((text) => text !== '');
    const label = labelled.exec(row[at] ?? '')?.[1];
    if (label === undefined) return;
    const key = `${at} ${label.trim()}`;
    const known = found.get(key) ?? { at, startsWith: label.trim(), lines: [] };
    known.lines.push(index);
    found.set(key, known);
  });
  const groups = [...found.values()].filter(({ startsWith, at }) => {
    const concepts = meaningsOf(startsWith.replace(':', ''))[0]?.concepts;
    const names = ['property', 'building', 'unit', 'tenant'].some((concept) => concepts?.has(concept));
    return names && columns[at] !== undefined && !columns.includes(startsWith.replace(':', '').trim());
  });
  return {
    headings: groups.map(({ at, startsWith }) => ({ column: columns[at]!, startsWith, as: startsWith.replace(':', '').trim() })),
    lines: new Set(groups.flatMap(({ lines }) => lines)),
  };
};

/** Conditions that hold for these lines, and for no record. */
const conditionsFor = (
  { columns, texts }: Lines,
  lines: readonly number[],
  records: readonly number[],
): { skip: Condition[]; left: number[] } => {
  const skip: Condition[] = [];
  let left = [...lines];
  const valueAt = (index: number, at: number) => texts[index]![at] ?? '';
  const take = (condition: Condition, holds: (index: number) => boolean): void => {
    if (records.some(holds) || !left.some(holds)) return;
    skip.push(condition);
    left = left.filter((index) => !holds(index));
  };
  for (const at of columns.keys()) {
    const sums = left.filter((index) => isSum(valueAt(index, at)));
    if (sums.length === 0) continue;
    const words = [...new Set(sums.map((index) => valueAt(index, at)))];
    const isAlone = (text: string) => text.replace(sumWord, '').replace(/\W/g, '') === '' && sumWord.test(text);
    const alone = words.filter(isAlone);
    if (alone.length > 0) take({ column: columns[at]!, in: alone }, (index) => alone.includes(valueAt(index, at)));
    for (const start of new Set(
      words
        .filter((text) => !isAlone(text) && sumWord.test(text))
        .map((text) => `${sumWord.exec(text)![0]}${text.slice(sumWord.exec(text)![0].length)[0]}`),
    ))
      take({ column: columns[at]!, startsWith: start }, (index) => valueAt(index, at).startsWith(start));
  }
  // A column that each record fills tells the others at once.
  const empty = (at: number) => left.filter((index) => valueAt(index, at) === '').length;
  while (left.length > 0) {
    const full = [...columns.keys()].filter((at) => records.length > 0 && records.every((index) => valueAt(index, at) !== ''));
    const best = full.sort((a, b) => empty(b) - empty(a))[0];
    if (best === undefined || empty(best) === 0) break;
    take({ column: columns[best]!, empty: true }, (index) => valueAt(index, best) === '');
  }
  for (const at of columns.keys()) {
    const words = [...new Set(left.map((index) => valueAt(index, at)).filter((text) => text !== ''))];
    if (words.length > 0 && words.length <= 5) take({ column: columns[at]!, in: words }, (index) => words.includes(valueAt(index, at)));
  }
  return { skip, left };
};

/** A name that surely means a property or a place, and no abbreviation that can mean it: `St.Nr.` is a street number or a tax number. */
const surely = 0.9;

/** Columns that stand once for a group: empty in most rows below a value, and named after a property or a place. `isSure`: nothing else is meant. */
const groupColumnsOf = ({ columns, texts }: Lines, records: readonly number[]): { readonly name: string; readonly isSure: boolean }[] => {
  const [first] = records;
  if (first === undefined || records.length < 3) return [];
  return columns.flatMap((name, at) => {
    const filled = records.filter((index) => (texts[index]![at] ?? '') !== '');
    if (filled.length === 0 || filled.length > records.length * 0.8 || (texts[first]![at] ?? '') === '' || at > columns.length / 2)
      return [];
    const values = filled.map((index) => texts[index]![at]!);
    // `Geb.` is a building or a birthday. A day names no group.
    if (values.every((value) => /^\d{1,4}[./-]\d{1,2}[./-]\d{1,4}(?!\d)/.test(value))) return [];
    // An address of mail has words of places in its name, too.
    if ([...contentsOf(values)].some(isTelling)) return [];
    const [meaning] = meaningsOf(name);
    const namesGroup = ['property', 'building', 'street', 'postal', 'city'].some((concept) => meaning?.concepts.has(concept));
    const differs = values.every((value, index) => index === 0 || value !== values[index - 1]);
    return meaning && namesGroup && differs ? [{ name, isSure: meaning.confidence >= surely }] : [];
  });
};

/** Finds the records of a list. */
export const recordsOf = async (columns: readonly string[], rows: readonly SourceRow[]): Promise<Records> => {
  const lines: Lines = { columns, rows, texts: rows.map(({ cells }) => columns.map((_, at) => textOf(cells[at]))) };
  const kinds = kindsOf(lines);
  const named = headingsOf(lines, kinds);
  const indexes = [...rows.keys()];
  const records = indexes.filter((index) => kinds[index] === 'record');
  const headers = indexes.filter((index) => kinds[index] === 'header');
  const others = indexes.filter((index) => !['record', 'header'].includes(kinds[index]!) && !named.lines.has(index));
  const headerAt = columns.findIndex((_, at) => headers.every((index) => lines.texts[index]![at] !== ''));
  const headerTexts = [...new Set(headers.map((index) => lines.texts[index]![headerAt]!))];
  const headerSkip: Condition[] = headers.length > 0 && headerAt >= 0 ? [{ column: columns[headerAt]!, in: headerTexts }] : [];
  const { skip: sums, left } = conditionsFor(lines, others, records);
  // A line with one text in the middle can belong to the row above it.
  const belonging = others.filter((index) => {
    const filled = lines.texts[index]!.flatMap((text, at) => (text === '' ? [] : [at]));
    const [at] = filled;
    return (
      kinds[index] === 'other' &&
      filled.length === 1 &&
      at !== undefined &&
      at > 0 &&
      kinds[index - 1] === 'record' &&
      !isValue(lines.texts[index]![at]!)
    );
  });
  const wordsAt = (index: number) =>
    lines.texts[index]!.filter((text) => text !== '')
      .slice(0, 3)
      .join(', ');
  const skip = [...headerSkip, ...sums];
  const groups = groupColumnsOf(lines, records).filter(({ name }) => !skip.some((one) => one.column === name && one.empty));
  const fillDown = groups.filter(({ isSure }) => isSure).map(({ name }) => name);
  const questions = [
    ...groups.flatMap(({ name, isSure }) => (isSure ? [] : [questionText('fillDown', { column: name })])),
    ...(belonging.length > 0
      ? [
          questionText(belonging.length > 1 ? 'belongAbove' : 'belongsAbove', {
            line: rows[belonging[0]!]!.line,
            words: shown(wordsAt(belonging[0]!), 60),
            more: belonging.length - 1,
          }),
        ]
      : []),
    ...(left.length > 0 ? [questionText('noRow', { line: rows[left[0]!]!.line, words: shown(wordsAt(left[0]!), 60) })] : []),
  ];
  async function* given() {
    yield rows;
  }
  const list = withGroups({ name: '', columns, rows: given() }, { fillDown, headings: named.headings });
  const isLoaded = rowFilter({ skip }, new RowColumns(list, new RowKeys()), {});
  const kept: SourceRow[] = [];
  for await (const batch of list.rows) kept.push(...batch.filter((row) => isLoaded(row)));
  return { rows: kept, columns: list.columns, skip, fillDown, headings: named.headings, questions };
};
