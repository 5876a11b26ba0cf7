/** Proposes the raw table of a list and the target of each of its columns, each with the evidence. */
import { type RawTableName, rawTables } from '../../catalogue/raw/index.ts';
import { rawColumnFacts } from '../../catalogue/raw-columns.ts';
import { partsOf, type RawTable } from '../../catalogue/raw-table.ts';
import type { ColumnRule, KeyPart, TableRule } from '../source-file.ts';
import { canHold, codesOf, type FoundCodes, fitOf, normalise, split, termsOfTable, weights } from './fit.ts';
import type { ColumnProfile, ListProfile } from './profile.ts';
import { tableTerms } from './terms.ts';

export interface ColumnProposal extends FoundCodes {
  readonly target: string;
  readonly profile: ColumnProfile;
  readonly evidence: string;
  readonly references: RawTableName | undefined;
  /** The whole rule, if it follows from the list itself. */
  readonly rule?: ColumnRule;
}

export interface TableProposal {
  readonly table: RawTableName;
  readonly evidence: string;
  readonly columns: readonly ColumnProposal[];
  /** Which rows of the list are rows of the table. */
  readonly rows?: Pick<TableRule, 'skip' | 'latest'>;
  /** The columns that identify a row; `$row` if none do. */
  readonly key: readonly KeyPart[];
  readonly keyEvidence: string;
  readonly unassigned: readonly ColumnProfile[];
  /** Required columns without a source. */
  readonly missing: readonly string[];
  /** The proposal from which this one differs in few columns. */
  readonly variantOf?: TableProposal;
}

const enough = 2;

/** Required columns of a table that none of these targets fills. The key and the times of rows need no source. */
export const missingOf = (table: RawTableName, targets: ReadonlySet<string>): string[] => {
  const { key, columns }: RawTable = rawTables[table];
  return Object.entries(columns).flatMap(([name, column]) =>
    partsOf(column).required && name !== key && name !== 'created_at' && name !== 'changed_at' && !targets.has(name) ? [name] : [],
  );
};

/** Values that are codes of the target speak for it, and values without any code against it: a list may call several columns its type. */
const fitOfCodes = (table: RawTableName, target: string, profile: ColumnProfile): number => {
  const { codes, unknown } = codesOf(table, target, profile);
  return unknown.length > 0 && !codes?.size ? 0.7 : 1;
};

/** Candidates of one table, the best first. */
const candidatesOf = (table: RawTableName, profiles: readonly ColumnProfile[]) =>
  [...termsOfTable(table)]
    .flatMap(([target, terms]) =>
      profiles.map((profile) => {
        const { score, evidence } = fitOf(profile.name, terms);
        const isFit = score > 0 && canHold(table, target, profile.look);
        return { target, profile, evidence, score: isFit ? score * fitOfCodes(table, target, profile) : 0 };
      }),
    )
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score);

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
  const evidence = `${first.sources.size} of ${profiles.length} columns have its terms${term ? `, and the name has "${term}"` : ''}`;
  const unassigned = profiles.filter(({ name }) => !first.sources.has(name));
  return {
    table,
    evidence,
    columns: columns.filter(({ target }) => target !== key),
    ...keyOf(table, columns, list),
    unassigned,
    missing: missingOf(table, targets),
  };
};
