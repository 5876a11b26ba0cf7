/** How well names and values of an export fit the columns and codes of raw tables. */
import { entries } from '../../../catalogue/index.ts';
import type { LookupName } from '../../../catalogue/lookups.ts';
import { type RawLookupName, rawLookups } from '../../../catalogue/raw/codes.ts';
import { type RawColumnFacts, rawColumnFacts } from '../../../catalogue/raw/columns.ts';
import { type RawTableName, rawTables } from '../../../catalogue/raw/index.ts';
import { partsOf, type RawTable } from '../../../catalogue/raw-table.ts';
import { englishLabel, germanLabels } from '../../../catalogue/texts/labels.ts';
import { contentOfTarget, isTelling } from '../forms/contents.ts';
import type { ColumnProfile } from '../lists/profile.ts';
import { codeTerms, columnTerms, impliedConcepts } from './terms.ts';
import { abbreviates, likeness, type Meaning, meaningsOf, partsOfWord, plain, wordsOf } from './words.ts';

/** A name without case, accents, blanks and punctuation, for comparison. */
export const normalise = (name: string): string =>
  plain(name)
    .replaceAll(/[^a-z0-9]/g, '')
    .replace(/nummer$/, 'nr')
    .replace(/number$/, 'no');

export interface Term {
  readonly text: string;
  readonly weight: number;
  readonly evidence: string;
  /** What it means, and its words. Empty if they are unknown. */
  readonly concepts: ReadonlySet<string>;
  readonly words: readonly string[];
}

export const weights = { own: 4, name: 3, term: 3, label: 2.5, meaning: 2.95 } as const;
/** Less likeness than this is chance. */
const leastLikeness = 0.45;

/** The label of the category column that passes a raw column on. */
const labelsOf = (table: RawTableName, column: string): string[] => {
  for (const { source, columns } of entries) {
    if (source.table !== table) continue;
    const found = Object.entries(columns).find(([name, { from = name }]) => from === column);
    if (found) return [germanLabels[found[0] as keyof typeof germanLabels], englishLabel(found[0])];
  }
  return [];
};

export const split = (terms: string | undefined): string[] => terms?.split(' ').filter((term) => term !== '') ?? [];

const facts = new Map<string, RawColumnFacts>();
/** The facts of a raw column. Each pair of a column and a target needs them. */
export const factsOfColumn = (table: RawTableName, column: string): RawColumnFacts => {
  const name = `${table}.${column}`;
  const found = facts.get(name) ?? rawColumnFacts(table, column);
  facts.set(name, found);
  return found;
};

/** Of terms that can mean several columns, the first ones mean this one. */
const less = (at: number): number => Math.min(0.2, at * 0.02);

type PlainTerm = Pick<Term, 'text' | 'weight' | 'evidence'>;

const plainTermsOf = (table: RawTableName, column: string): PlainTerm[] => [
  { text: column, weight: weights.name, evidence: 'the name of the column' },
  ...split(columnTerms[`${table}.${column}`]).map((text, at) => ({
    text,
    weight: weights.own - less(at),
    evidence: 'a term of this table',
  })),
  ...(columnTerms[`${table}.${column}`] ? [] : split(columnTerms[column])).map((text, at) => ({
    text,
    weight: weights.term - less(at),
    evidence: 'a usual term',
  })),
  // The key of a list of the service is no number of the list of the export.
  ...(rawTables[table].key === column ? [] : labelsOf(table, column)).map((text) => ({
    text,
    weight: weights.label,
    evidence: `the label "${text}" of the dictionary`,
  })),
];

/** The term with its meaning, if all of its words are known. */
export const withMeaning = ({ text, ...term }: PlainTerm): Term => {
  const [meaning] = meaningsOf(text.replace(/_key$/, '').replaceAll('_', ' '));
  const isKnown = meaning !== undefined && meaning.unknown === 0 && meaning.confidence > 0.9;
  const words = wordsOf(text.replaceAll('_', ' ')).flatMap(({ word }) => partsOfWord(word));
  // Letters such as WE have several meanings, so they count as they are.
  return { ...term, text: normalise(text), concepts: isKnown && text.length >= 4 ? meaning.concepts : new Set(), words };
};

const known = new Map<RawTableName, ReadonlyMap<string, readonly Term[]>>();
export const termsOfTable = (table: RawTableName): ReadonlyMap<string, readonly Term[]> => {
  let terms = known.get(table);
  if (!terms) {
    terms = new Map(Object.keys(rawTables[table].columns).map((column) => [column, plainTermsOf(table, column).map(withMeaning)]));
    known.set(table, terms);
  }
  return terms;
};

const meaningsByName = new Map<string, readonly Meaning[]>();
const meaningsOfName = (name: string): readonly Meaning[] => {
  const found = meaningsByName.get(name) ?? meaningsOf(name);
  meaningsByName.set(name, found);
  return found;
};

/** The concepts that a row of the table has without a word of them. */
export const impliedBy = (table: RawTableName): ReadonlySet<string> => new Set(split(impliedConcepts[table]));

export interface Fit {
  readonly score: number;
  readonly evidence: string;
}

/** How well a name fits the terms of a column. */
export const fitOf = (name: string, terms: readonly Term[], implied: ReadonlySet<string>): Fit => {
  const text = normalise(name.replace(/ \(\d+\)$/, ''));
  const meanings = meaningsOfName(name);
  let best: Fit = { score: 0, evidence: '' };
  for (const term of terms) {
    const isSame = term.text === text;
    const alike = isSame ? 1 : Math.max(likeness(meanings, term.concepts, implied), abbreviates(text, term.words) ? 0.66 : 0);
    const score = isSame
      ? term.weight
      : alike < leastLikeness
        ? 0
        : alike * weights.meaning * (1 - ((Math.ceil(term.weight) - term.weight) % 0.5) / 4);
    if (score > best.score) best = { score, evidence: isSame ? term.evidence : `it means "${term.words.join(' ')}"` };
  }
  return best;
};

/** Whether these values can be in a column of a raw table. */
export const canHold = (table: RawTableName, target: string, { looks, contents, numbers, filled }: ColumnProfile): boolean => {
  const { columns, key }: RawTable = rawTables[table];
  const { type } = partsOf(columns[target]!);
  const isKeyOrReference = target === key || factsOfColumn(table, target).references !== undefined;
  if (filled === 0) return true;
  const content = contentOfTarget(target);
  if (content?.only && !contents.has(content.content)) return false;
  if (content && [...contents].some((one) => isTelling(one) && one !== content.content)) return false;
  if (!content && [...contents].some((one) => isTelling(one)) && !factsOfColumn(table, target).lookup) return false;
  const has = (...wanted: readonly ('integer' | 'number' | 'date' | 'boolean' | 'text')[]) => wanted.some((look) => looks.has(look));
  if (type.startsWith('numeric')) return has('number', 'integer') && numbers?.hasLeadingZeros !== true;
  if (type === 'date' || type === 'timestamptz') return has('date');
  if (type === 'boolean') return has('boolean');
  if (type === 'integer' || type === 'bigint') return isKeyOrReference ? has('integer', 'text') || isCode(numbers) : has('integer');
  if (has('date') && !has('text', 'integer', 'number')) return false;
  // A number such as 1.2 stays as it is in a text.
  return !has('number') || isCode(numbers) || isKeyOrReference || /_(?:no|number)$/.test(target);
};

/** Texts such as `01.02` look like numbers, and have no form of one. */
const isCode = (numbers: ColumnProfile['numbers']): boolean => numbers?.hasLeadingZeros === true;

const words = new Map<RawLookupName, ReadonlyMap<string, string>>();
/** The code for each word that means one, compared without case and punctuation. */
export const codesByWord = (lookup: RawLookupName): ReadonlyMap<string, string> => {
  let known = words.get(lookup);
  if (!known) {
    known = new Map(
      rawLookups[lookup].flatMap(([code, english, german]) =>
        [code, english, german, ...split(codeTerms[lookup as LookupName]?.[code])].map((word) => [normalise(word), code] as const),
      ),
    );
    words.set(lookup, known);
  }
  return known;
};

/** Lists of things, in which one word says what a value is: `3.5-Zi-Whg` is a flat. In lists of states, `nicht vermietet` would be let. */
const listsOfThings: ReadonlySet<RawLookupName> = new Set(['usage_type', 'trade', 'property_type', 'heating_type', 'payment_method']);
const negation = /(?:^|[^a-z])(?:nicht|kein|keine|ohne|no|not|non|niet|geen|without|ex|ehem|ehemals|zu|zum|fuer|for|bei)(?:[^a-z]|$)/;

/** The code that a value means: by the whole value, or by the only code of which it has a word. */
const codeOf = (lookup: RawLookupName, value: string): string | undefined => {
  const byWord = codesByWord(lookup);
  const exact = byWord.get(normalise(value));
  if (exact !== undefined || !listsOfThings.has(lookup) || negation.test(plain(value))) return exact;
  const only = (found: readonly string[]) => (new Set(found).size === 1 ? found[0] : undefined);
  const tokens = wordsOf(value).flatMap(({ word }) => byWord.get(word) ?? []);
  if (tokens.length > 0) return only(tokens);
  const text = normalise(value);
  // A trade can be a part of one: Sanitär of Sanitär Heizung Klima.
  const isWithin = (word: string) => lookup === 'trade' && text.length >= 5 && word.includes(text);
  return only(
    [...byWord].flatMap(([word, code]) =>
      code !== 'other' && ((word.length >= 5 && text.includes(word)) || isWithin(word)) ? [code] : [],
    ),
  );
};

/** The code for each value of a column. */
export interface FoundCodes {
  /** Undefined if the values are the codes, or the target has none. */
  readonly codes: ReadonlyMap<string, string> | undefined;
  /** The values that mean no code. */
  readonly unknown: readonly string[];
}

export const codesOf = (table: RawTableName, target: string, { values }: ColumnProfile): FoundCodes => {
  const { lookup } = factsOfColumn(table, target);
  if (!lookup || values.length === 0) return { codes: undefined, unknown: [] };
  const codes = new Map<string, string>();
  const unknown: string[] = [];
  for (const value of values) {
    const code = codeOf(lookup, value);
    if (code === undefined) unknown.push(value);
    else codes.set(value, code);
  }
  const isSame = unknown.length === 0 && [...codes].every(([value, code]) => value === code);
  return { codes: isSame ? undefined : codes, unknown };
};
