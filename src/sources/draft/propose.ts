/** Proposes the raw table of a list and the target of each of its columns, each with the evidence. */
import { entries } from '../../catalogue/index.ts';
import { englishLabel, germanLabels } from '../../catalogue/labels.ts';
import { lookups } from '../../catalogue/lookups.ts';
import { type RawTableName, rawTables } from '../../catalogue/raw/index.ts';
import { rawColumnFacts } from '../../catalogue/raw-columns.ts';
import { partsOf, type RawTable } from '../../catalogue/raw-table.ts';
import type { ColumnProfile, ListProfile, Look } from './profile.ts';
import { codeTerms, columnTerms, tableTerms } from './terms.ts';

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

interface Term {
  readonly text: string;
  readonly weight: number;
  readonly evidence: string;
}

const weights = { own: 4, name: 3, term: 3, label: 2.5, within: 1.2 } as const;

/** The label of the category column that passes a raw column on. */
const labelsOf = (table: RawTableName, column: string): string[] => {
  for (const { source, columns } of entries) {
    if (source.table !== table) continue;
    const found = Object.entries(columns).find(([name, { from = name }]) => from === column);
    if (found) return [germanLabels[found[0] as keyof typeof germanLabels], englishLabel(found[0])];
  }
  return [];
};

const split = (terms: string | undefined): string[] => terms?.split(' ').filter((term) => term !== '') ?? [];

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
const termsOfTable = (table: RawTableName): ReadonlyMap<string, readonly Term[]> => {
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
const fitOf = (name: string, terms: readonly Term[]): { readonly score: number; readonly evidence: string } => {
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

/** Whether values of this look can be in a column of this type. */
const canHold = (type: string, look: Look, isKeyOrReference: boolean): boolean => {
  if (look === 'empty') return true;
  if (type.startsWith('numeric')) return look === 'number' || look === 'integer';
  if (type === 'date') return look === 'date';
  if (type === 'timestamptz') return look === 'date';
  if (type === 'boolean') return look === 'boolean' || look === 'text';
  if (type === 'integer' || type === 'bigint') return isKeyOrReference ? look === 'integer' || look === 'text' : look === 'integer';
  return look !== 'date' && look !== 'number';
};

export interface ColumnProposal {
  readonly target: string;
  readonly profile: ColumnProfile;
  readonly evidence: string;
  readonly references: RawTableName | undefined;
  /** The code for each value, and the values that have none. */
  readonly codes: ReadonlyMap<string, string> | undefined;
  readonly unknown: readonly string[];
}

export interface TableProposal {
  readonly table: RawTableName;
  readonly evidence: string;
  readonly columns: readonly ColumnProposal[];
  /** The columns that identify a row; `$row` if none do. */
  readonly key: readonly string[];
  readonly keyEvidence: string;
  readonly unassigned: readonly ColumnProfile[];
  /** Required columns without a source. */
  readonly missing: readonly string[];
}

const enough = 2;

/** Candidates of one table, the best first. */
const candidatesOf = (table: RawTableName, profiles: readonly ColumnProfile[]) => {
  const { columns, key }: RawTable = rawTables[table];
  return [...termsOfTable(table)]
    .flatMap(([target, terms]) => {
      const { type } = partsOf(columns[target]!);
      const isReference = target === key || rawColumnFacts(table, target).references !== undefined;
      return profiles.map((profile) => {
        const { score, evidence } = fitOf(profile.name, terms);
        return { target, profile, evidence, score: canHold(type, profile.look, isReference) ? score : 0 };
      });
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score);
};

type Candidate = ReturnType<typeof candidatesOf>[number];

/** Each target gets one column. A column that is surely meant can fill several targets, such as a number and a reference. */
const assign = (candidates: readonly Candidate[]): readonly Candidate[] => {
  const chosen: Candidate[] = [];
  const targets = new Set<string>();
  const used = new Set<string>();
  for (const isSecond of [false, true])
    for (const candidate of candidates) {
      if (targets.has(candidate.target) || (isSecond ? candidate.score < weights.label : used.has(candidate.profile.name))) continue;
      if (candidate.score < 0.8) continue;
      chosen.push(candidate);
      targets.add(candidate.target);
      used.add(candidate.profile.name);
    }
  return chosen;
};

const codesOf = (table: RawTableName, target: string, { values }: ColumnProfile): Pick<ColumnProposal, 'codes' | 'unknown'> => {
  const { lookup } = rawColumnFacts(table, target);
  if (!lookup || values.length === 0) return { codes: undefined, unknown: [] };
  const byWord = new Map<string, string>();
  for (const [code, english, german] of lookups[lookup])
    for (const word of [code, english, german, ...split(codeTerms[lookup]?.[code])]) byWord.set(normalise(word), code);
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

const isWhole = ({ filled, rows, look }: ColumnProfile): boolean => filled === rows && (look === 'integer' || look === 'text');

/** Columns that may be part of a key: no amounts, no free text. */
const isKeyPart = ({ target, profile }: ColumnProposal): boolean =>
  isWhole(profile) || (profile.filled === profile.rows && target === 'valid_from');

/** Names of numbers, also of columns without a target: `ME-Nr.`, `Beleg`, `Pos`, `contract no`. */
const namesNumber =
  /(?:nr|no|num|nummer|number|id|key|code|pos|position|beleg|document|vertrag|contract|objekt|liegenschaft|property)\.?$/i;

/** Pairs and triples of columns, in order. */
const combinations = (names: readonly string[]): readonly (readonly string[])[] => {
  const pairs = names.flatMap((first, at) => names.slice(at + 1).map((second) => [first, second]));
  const triples = pairs.flatMap((pair) => names.slice(names.indexOf(pair[1]!) + 1).map((third) => [...pair, third]));
  return [...pairs, ...triples];
};

/** An amount that changes has a further row from another day, although this export may have one row only. */
const withDay = (names: readonly string[], columns: readonly ColumnProposal[]): readonly string[] => {
  const day = columns.find((column) => column.target === 'valid_from' && isKeyPart(column))?.profile.name;
  return day === undefined || names.includes(day) ? names : [...names, day];
};

/** A key from the column that the target names, otherwise from columns that identify a row together. */
const keyOf = (
  table: RawTableName,
  columns: readonly ColumnProposal[],
  { columns: profiles, identifies }: Pick<ListProfile, 'columns' | 'identifies'>,
): Pick<TableProposal, 'key' | 'keyEvidence'> => {
  const { key, unique }: RawTable = rawTables[table];
  const own = [key, ...unique.flatMap((names) => (names.length === 1 ? names : []))];
  for (const target of own) {
    const found = columns.find((column) => column.target === target && column.profile.isUnique);
    if (found) return { key: [found.profile.name], keyEvidence: 'its values are unique, and it names the row' };
  }
  const assigned = new Set(columns.map(({ profile }) => profile.name));
  const first = profiles.find(({ name, isUnique, look }) => isUnique && !assigned.has(name) && (look === 'integer' || look === 'text'));
  if (first) return { key: [first.name], keyEvidence: 'its values are unique, and it has no other target' };
  const parts = [...new Set(columns.filter(isKeyPart).map(({ profile }) => profile.name))].slice(0, 7);
  const numbered = profiles.filter((each) => namesNumber.test(each.name) && isWhole(each)).map(({ name }) => name);
  const inOrder = (names: readonly string[]) => profiles.map(({ name }) => name).filter((name) => names.includes(name));
  const together = [parts, [...new Set([...numbered, ...parts])].slice(0, 9)]
    .flatMap((names) => combinations(inOrder(names)))
    .find(identifies);
  if (together) return { key: withDay(together, columns), keyEvidence: 'these columns identify each row together, in this export' };
  return { key: ['$row'], keyEvidence: 'nothing identifies a row, so a changed row is a new row' };
};

/** The raw table whose terms the name of the list and its columns fit best. Undefined if none fits. */
export const propose = (listName: string, list: ListProfile): TableProposal | undefined => {
  const { columns: profiles } = list;
  const file = normalise(listName.replace(/\.[a-z0-9]+(?:\.gz)?(?=,|$)/i, ''));
  const ranked = (Object.keys(rawTables) as RawTableName[]).map((table) => {
    const chosen = assign(candidatesOf(table, profiles));
    const isKeyed = chosen.some(({ target, score }) => target === rawTables[table].key && score >= weights.label);
    const term = split(tableTerms[table])
      .map(normalise)
      .filter((one) => file.includes(one))
      .sort((a, b) => b.length - a.length)[0];
    const sources = new Set(chosen.map(({ profile }) => profile.name));
    const best = [...sources].reduce(
      (sum, name) => sum + Math.max(...chosen.filter(({ profile }) => profile.name === name).map(({ score }) => score)),
      0,
    );
    return { table, chosen, term, sources, score: best + (term ? 4 + term.length / 4 : 0) + Number(isKeyed) };
  });
  const [first] = ranked.sort((a, b) => b.score - a.score);
  // A list of few columns is known by its name: then a column of its numbers counts, whatever its name is.
  const hasKey = profiles.some(
    ({ name, isUnique, look }) => isUnique && !first?.sources.has(name) && (look === 'integer' || look === 'text'),
  );
  if (
    !first ||
    first.sources.size + Number(first.term !== undefined && hasKey) < enough ||
    (!first.term && first.sources.size * 2 < profiles.length)
  )
    return undefined;
  const { table, chosen, term } = first;
  const { key, columns: all }: RawTable = rawTables[table];
  const columns = chosen
    .map(({ target, profile, evidence }) => ({
      target,
      profile,
      evidence,
      references: rawColumnFacts(table, target).references?.table,
      ...codesOf(table, target, profile),
    }))
    .sort((a, b) => Object.keys(all).indexOf(a.target) - Object.keys(all).indexOf(b.target));
  const targets = new Set(columns.map(({ target }) => target));
  const missing = Object.entries(all).flatMap(([name, column]) =>
    partsOf(column).required && name !== key && name !== 'created_at' && name !== 'changed_at' && !targets.has(name) ? [name] : [],
  );
  const evidence = `${first.sources.size} of ${profiles.length} columns have its terms${term ? `, and the name has "${term}"` : ''}`;
  const unassigned = profiles.filter(({ name }) => !first.sources.has(name));
  return { table, evidence, columns: columns.filter(({ target }) => target !== key), ...keyOf(table, columns, list), unassigned, missing };
};
