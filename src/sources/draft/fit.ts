/** How well names and values of an export fit the columns and codes of raw tables. */
import { entries } from '../../catalogue/index.ts';
import { englishLabel, germanLabels } from '../../catalogue/labels.ts';
import { type LookupName, lookups } from '../../catalogue/lookups.ts';
import { type RawTableName, rawTables } from '../../catalogue/raw/index.ts';
import { rawColumnFacts } from '../../catalogue/raw-columns.ts';
import { partsOf, type RawTable } from '../../catalogue/raw-table.ts';
import type { ColumnProfile, Look } from './profile.ts';
import { codeTerms, columnTerms } from './terms.ts';

/** A name without case, accents, blanks and punctuation, for comparison. */
export const normalise = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll('ä', 'ae')
    .replaceAll('ö', 'oe')
    .replaceAll('ü', 'ue')
    .replaceAll('ß', 'ss')
    .replaceAll('²', '2')
    .normalize('NFD')
    .replaceAll(/[^a-z0-9]/g, '')
    .replace(/nummer$/, 'nr')
    .replace(/number$/, 'no');

export interface Term {
  readonly text: string;
  readonly weight: number;
  readonly evidence: string;
}

export const weights = { own: 4, name: 3, term: 3, label: 2.5, within: 1.2 } as const;

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

const termsOf = (table: RawTableName, column: string): Term[] => [
  { text: column, weight: weights.name, evidence: 'the name of the column' },
  ...split(columnTerms[`${table}.${column}`]).map((text) => ({ text, weight: weights.own, evidence: 'a term of this table' })),
  ...(columnTerms[`${table}.${column}`] ? [] : split(columnTerms[column])).map((text) => ({
    text,
    weight: weights.term,
    evidence: 'a usual term',
  })),
  ...labelsOf(table, column).map((text) => ({ text, weight: weights.label, evidence: `the label "${text}" of the dictionary` })),
];

const known = new Map<RawTableName, ReadonlyMap<string, readonly Term[]>>();
export const termsOfTable = (table: RawTableName): ReadonlyMap<string, readonly Term[]> => {
  let terms = known.get(table);
  if (!terms) {
    terms = new Map(
      Object.keys(rawTables[table].columns).map((column) => [
        column,
        termsOf(table, column).map((term) => ({ ...term, text: normalise(term.text) })),
      ]),
    );
    known.set(table, terms);
  }
  return terms;
};

/** How well a name fits the terms of a column. */
export const fitOf = (name: string, terms: readonly Term[]): { readonly score: number; readonly evidence: string } => {
  const text = normalise(name);
  let best = { score: 0, evidence: '' };
  for (const term of terms) {
    const isSame = term.text === text;
    const isWithin = term.text.length >= 5 && text.length >= 5 && (text.includes(term.text) || term.text.includes(text));
    const score = isSame
      ? term.weight
      : isWithin
        ? (weights.within * Math.min(term.text.length, text.length)) / Math.max(term.text.length, text.length)
        : 0;
    if (score > best.score) best = { score, evidence: isSame ? term.evidence : `it resembles "${term.text}"` };
  }
  return best;
};

/** Whether values of this look can be in a column of a raw table. */
export const canHold = (table: RawTableName, target: string, look: Look): boolean => {
  const { columns, key }: RawTable = rawTables[table];
  const { type } = partsOf(columns[target]!);
  const isKeyOrReference = target === key || rawColumnFacts(table, target).references !== undefined;
  if (look === 'empty') return true;
  if (type.startsWith('numeric')) return look === 'number' || look === 'integer';
  if (type === 'date') return look === 'date';
  if (type === 'timestamptz') return look === 'date';
  if (type === 'boolean') return look === 'boolean' || look === 'text';
  if (type === 'integer' || type === 'bigint') return isKeyOrReference ? look === 'integer' || look === 'text' : look === 'integer';
  return look !== 'date' && look !== 'number';
};

const words = new Map<LookupName, ReadonlyMap<string, string>>();
/** The code for each word that means one, compared without case and punctuation. */
export const codesByWord = (lookup: LookupName): ReadonlyMap<string, string> => {
  let known = words.get(lookup);
  if (!known) {
    known = new Map(
      lookups[lookup].flatMap(([code, english, german]) =>
        [code, english, german, ...split(codeTerms[lookup]?.[code])].map((word) => [normalise(word), code] as const),
      ),
    );
    words.set(lookup, known);
  }
  return known;
};

/** The code for each value of a column. */
export interface FoundCodes {
  /** Undefined if the values are the codes, or the target has none. */
  readonly codes: ReadonlyMap<string, string> | undefined;
  /** The values that mean no code. */
  readonly unknown: readonly string[];
}

export const codesOf = (table: RawTableName, target: string, { values }: ColumnProfile): FoundCodes => {
  const { lookup } = rawColumnFacts(table, target);
  if (!lookup || values.length === 0) return { codes: undefined, unknown: [] };
  const byWord = codesByWord(lookup);
  const codes = new Map<string, string>();
  const unknown: string[] = [];
  for (const value of values) {
    const code = byWord.get(normalise(value));
    if (code === undefined) unknown.push(value);
    else codes.set(value, code);
  }
  const isSame = unknown.length === 0 && [...codes].every(([value, code]) => value === code);
  return { codes: isSame ? undefined : codes, unknown };
};
