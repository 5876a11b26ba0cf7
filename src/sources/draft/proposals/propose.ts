/** Proposes the raw table of a list and the target of each of its columns, each with the evidence. */
import { type RawTableName, rawTables } from '../../../catalogue/raw/index.ts';
import type { RawTable } from '../../../catalogue/raw-table.ts';
import type { ColumnProfile, ListProfile } from '../lists/profile.ts';
import { questionText } from '../question-texts.ts';
import { canHold, codesOf, factsOfColumn, impliedBy, normalise, split, weights } from '../words/fit.ts';
import { coreTargets, tableTerms } from '../words/terms.ts';
import { meaningsOf } from '../words/words.ts';
import { assign } from './assign.ts';
import { keyOf, ownNumbers } from './keys.ts';
import { missingOf, type TableProposal } from './proposal.ts';
import { type KeysOfLists, least, scoreOf } from './score.ts';

/** A list with what is known of it beside its values. */
export interface KnownList {
  readonly name: string;
  readonly profile: ListProfile;
  /** Whether it is a table of a database, so that its rows are all of one kind. */
  readonly isTable?: boolean;
  /** Whether its format has both accounts of a booking in one row. */
  readonly hasContraAccounts?: boolean;
  /** The columns of its key and the tables that its columns refer to, if a database says it. */
  readonly primaryKey?: readonly string[];
  readonly references?: ReadonlyMap<string, string>;
}

const enough = 2;

interface Candidate {
  readonly column: ColumnProfile;
  readonly target: string;
  readonly evidence: string;
  readonly score: number;
}

const candidatesOf = (table: RawTableName, profiles: readonly ColumnProfile[], keys: KeysOfLists): Candidate[] =>
  Object.keys(rawTables[table].columns).flatMap((target) =>
    profiles.flatMap((column, place) => {
      const { score: found, evidence } = scoreOf(table, target, column, { keys });
      // Of equal columns, the first is meant.
      const score = found - place / 1_000;
      return found >= least ? [{ column, target, evidence, score }] : [];
    }),
  );

/** Numbers and references: a column can be the number of a contract and its account, too. */
const isOfRow = (table: RawTableName, target: string): boolean =>
  factsOfColumn(table, target).references !== undefined ||
  target === rawTables[table].key ||
  /(?:_no|_number|_id|_date|^short_name)$/.test(target);

/** The best assignment in sum. A column that is surely meant can fill further targets, such as a number and a reference. */
const assignTable = (table: RawTableName, profiles: readonly ColumnProfile[], keys: KeysOfLists): readonly Candidate[] => {
  const candidates = candidatesOf(table, profiles, keys);
  const chosen = [...assign(candidates, least)];
  const targets = new Set(chosen.map(({ target }) => target));
  const used = new Set(chosen.map(({ column }) => column));
  for (const candidate of [...candidates].sort((a, b) => b.score - a.score)) {
    const isOwn =
      candidate.target === rawTables[table].key || (rawTables[table] as RawTable).unique.some((names) => names[0] === candidate.target);
    // What refers to another row is no number of this one.
    const refers = chosen.some(
      ({ column, target }) =>
        column === candidate.column && target !== 'account_id' && factsOfColumn(table, target).references !== undefined,
    );
    // One number does not name rows of two other tables.
    const isReference = candidate.target !== 'account_id' && factsOfColumn(table, candidate.target).references !== undefined;
    if ((isOwn || isReference) && refers) continue;
    if (
      targets.has(candidate.target) ||
      !used.has(candidate.column) ||
      candidate.score < weights.label ||
      !isOfRow(table, candidate.target)
    )
      continue;
    chosen.push(candidate);
    targets.add(candidate.target);
  }
  return withCodes(table, profiles, withOwnNumber(table, profiles, chosen));
};

/** Required codes, and how many different ones lists have. */
const numbersOfCodes: { readonly [Table in RawTableName]?: readonly [target: string, least: number, most: number] } = {
  floor_area: ['usage_type_key', 3, 15],
  contract_condition: ['debit_type_key', 3, 20],
  creditor_hdr: ['trade_key', 6, 30],
};

const isCode = ({ look, filled, rows, values }: ColumnProfile): boolean =>
  look === 'text' &&
  filled === rows &&
  values.length > 0 &&
  values.every((value) => /^[\p{Lu}\d]*\p{Lu}[\p{Lu}\d]*$/u.test(value) && value.length <= 5);

/** The only column of codes is the required one. Codes that mean nothing known are listed, and the load refuses them. */
const withCodes = (table: RawTableName, profiles: readonly ColumnProfile[], chosen: readonly Candidate[]): readonly Candidate[] => {
  const [target = '', fewest = 0, most = 0] = numbersOfCodes[table] ?? [];
  if (target === '' || chosen.length < 3 || chosen.some((one) => one.target === target)) return chosen;
  const columns = profiles.filter(
    (one) => isCode(one) && one.values.length >= fewest && one.values.length <= most && !chosen.some(({ column }) => column === one),
  );
  const [column] = columns;
  return column && columns.length === 1
    ? [...chosen, { column, target, evidence: 'it is the only column of codes', score: least }]
    : chosen;
};

/** A column of unique values that is called a number, and nothing else that is known, is the number of the row. */
const withOwnNumber = (table: RawTableName, profiles: readonly ColumnProfile[], chosen: readonly Candidate[]): readonly Candidate[] => {
  const target = ownNumbers[table];
  if (target === undefined || chosen.some((one) => one.target === target)) return chosen;
  const implied = impliedBy(table);
  const column = profiles.find(
    (one) =>
      one.isUnique &&
      !chosen.some((other) => other.column === one) &&
      canHold(table, target, one) &&
      meaningsOf(one.name).some(
        ({ concepts }) => concepts.has('number') && [...concepts].every((concept) => concept === 'number' || implied.has(concept)),
      ),
  );
  return column ? [...chosen, { column, target, evidence: 'its values are unique, and it is called a number', score: least }] : chosen;
};

/** What the name of a list says: the sheet of a workbook counts before its file, unless it is a sheet without a name. */
const nameOf = (name: string): string => {
  const [, file = name, sheet] = /^(.*?), sheet (.*)$/.exec(name) ?? [];
  const title = sheet !== undefined && !/^(?:tabelle|sheet|blad|table)\s*\d*$/i.test(sheet) ? sheet : file;
  return title
    .replace(/^.*[/\\]/, '')
    .replace(/\.(?:csv|txt|tsv|asc|dat|xlsx?|xlsm|xlsb|ods|json|ndjson|parquet)(?:\.gz|\.zst)?$/i, '')
    .replace(/^.*\./, '');
};

/** The raw tables that lists of these concepts fill, the most telling concept first. */
const tablesByConcept: readonly (readonly [concept: string, table: RawTableName])[] = [
  ['costcenter', 'cost_center'],
  ['creditor', 'creditor_hdr'],
  ['owner', 'owner_hdr'],
  ['invoice', 'order_invoice'],
  ['order', 'order_hdr'],
  ['report', 'report_hdr'],
  ['offer', 'offer_hdr'],
  ['booking', 'booking_pos'],
  ['account', 'account'],
  ['employee', 'staff_hdr'],
  ['equipment', 'to_hdr'],
  ['lease', 'tenancy_hdr'],
  ['rent', 'contract_condition'],
  ['unit', 'floor_area'],
  ['tenant', 'person'],
  ['person', 'person'],
  ['building', 'building'],
  ['property', 'property_hdr'],
];

const listEvidence = (listName: string): ReadonlyMap<RawTableName, { readonly points: number; readonly word: string }> => {
  const name = nameOf(listName);
  const file = normalise(name);
  const found = new Map<RawTableName, { points: number; word: string }>();
  for (const table of Object.keys(tableTerms) as RawTableName[]) {
    const term = split(tableTerms[table])
      .map(normalise)
      .filter((one) => file.includes(one))
      .sort((a, b) => b.length - a.length)[0];
    if (term) found.set(table, { points: 4 + term.length / 4, word: term });
  }
  const [meaning] = meaningsOf(name);
  const concept = tablesByConcept.find(([one]) => meaning?.concepts.has(one));
  if (found.size === 0 && meaning && concept && meaning.confidence >= 0.7)
    found.set(concept[1], { points: 4 * meaning.confidence, word: concept[0] });
  return found;
};

interface Ranked {
  readonly table: RawTableName;
  readonly chosen: readonly Candidate[];
  readonly word: string | undefined;
  readonly sources: ReadonlySet<string>;
  readonly score: number;
}

const sumOfBest = (chosen: readonly Candidate[]): number => {
  const best = new Map<ColumnProfile, number>();
  for (const { column, score } of chosen) best.set(column, Math.max(best.get(column) ?? 0, score));
  return [...best.values()].reduce((sum, score) => sum + score, 0);
};

const hasCore = (table: RawTableName, chosen: readonly Candidate[], hasKey: boolean): boolean => {
  const core = coreTargets[table];
  if (!core) return true;
  const targets = new Set(chosen.map(({ target }) => target));
  return core.split(' and ').every((group) => split(group).some((target) => targets.has(target) || (target === 'key' && hasKey)));
};

/** The raw tables in the order in which they fit a list. */
const rank = ({ name, profile }: KnownList, keys: KeysOfLists, only?: RawTableName): Ranked[] => {
  const words = listEvidence(name);
  return (only ? [only] : (Object.keys(rawTables) as RawTableName[]))
    .map((table) => {
      const chosen = assignTable(table, profile.columns, keys);
      const isKeyed = chosen.some(({ target, score }) => target === rawTables[table].key && score >= weights.label);
      const found = words.get(table);
      const sources = new Set(chosen.map(({ column }) => column.name));
      const others = hasPerson.has(table)
        ? assignTable(
            'person',
            profile.columns.filter(({ name: column }) => !sources.has(column)),
            keys,
          )
        : [];
      const points = (found?.points ?? 0) + Number(isKeyed) + (chosen.length > 1 ? sumOfBest(others) * 0.9 : 0);
      return { table, chosen, word: found?.word, sources, score: sumOfBest(chosen) + points };
    })
    .sort((a, b) => b.score - a.score);
};

/** Rows of these tables are persons, too. */
export const hasPerson: ReadonlySet<RawTableName> = new Set(['creditor_hdr', 'owner_hdr', 'staff_hdr', 'tenancy_hdr']);

/** Columns that surely are of another raw table: then a row has another meaning, or several. */
const foreignOf = (
  ranked: readonly Ranked[],
  first: Ranked,
  ofPerson: ReadonlySet<string>,
): ReadonlyMap<RawTableName, readonly string[]> => {
  const tables: readonly RawTableName[] = [
    'property_hdr',
    'floor_area',
    'person',
    'tenancy_hdr',
    'contract_condition',
    'booking_pos',
    'creditor_hdr',
  ];
  return new Map(
    ranked
      .filter(({ table }) => table !== first.table && tables.includes(table) && !(table === 'person' && hasPerson.has(first.table)))
      .map(({ table, chosen }) => [
        table,
        [
          ...new Set(
            chosen
              .filter(({ column, score }) => score >= 2.6 && !first.sources.has(column.name) && !ofPerson.has(column.name))
              .map(({ column }) => column.name),
          ),
        ],
      ]),
  );
};

/** The proposal of one raw table for a list. */
export const proposalOf = (
  table: RawTableName,
  chosen: readonly Candidate[],
  { profile, primaryKey }: KnownList,
  evidence: string,
): TableProposal => {
  const { key, columns: all }: RawTable = rawTables[table];
  const columns = chosen
    .map(({ target, column, evidence: words }) => ({
      target,
      profile: column,
      evidence: words,
      references: factsOfColumn(table, target).references?.table,
      ...codesOf(table, target, column),
    }))
    .sort((a, b) => Object.keys(all).indexOf(a.target) - Object.keys(all).indexOf(b.target));
  const targets = new Set(columns.map(({ target }) => target));
  const sources = new Set(columns.map(({ profile: column }) => column.name));
  return {
    table,
    evidence,
    columns: columns.filter(({ target }) => target !== key),
    ...keyOf(table, columns, profile, primaryKey),
    unassigned: profile.columns.filter(({ name }) => !sources.has(name)),
    missing: missingOf(table, targets),
  };
};

/** The columns of a list that a table takes, apart from those that others have. */
export const assignedTo = (table: RawTableName, profiles: readonly ColumnProfile[], keys: KeysOfLists): readonly Candidate[] =>
  assignTable(table, profiles, keys);

/** The raw table that the list fits best. Undefined if none fits, because a wrong proposal costs more than none. */
export const propose = (list: KnownList, keys: KeysOfLists): TableProposal | undefined => {
  const { columns: profiles } = list.profile;
  const ranked = rank(list, keys);
  const hasKey = (sources: ReadonlySet<string>) =>
    profiles.some(({ name, isUnique, look }) => isUnique && !sources.has(name) && (look === 'integer' || look === 'text'));
  // Four columns suffice for a table that no other one comes near.
  const isDistinct = (table: RawTableName, count: number) =>
    table === ranked[0]?.table && count >= 4 && count * 3 >= profiles.length && ranked[0].score >= (ranked[1]?.score ?? 0) * 1.25;
  const first = ranked.find(({ table, chosen, word, sources }) => {
    // A list of few columns is known by its name: then a column of its numbers counts, whatever its name is.
    const isEnough =
      sources.size + Number(word !== undefined && hasKey(sources)) >= enough &&
      (word !== undefined || sources.size * 2 >= profiles.length || isDistinct(table, sources.size));
    return isEnough && hasCore(table, chosen, hasKey(sources));
  });
  // Another table that fits far better lacks what its rows need, so a row of this list means something else.
  if (!first || first.score < ranked[0]!.score * 0.7) return undefined;
  const evidence = `${first.sources.size} of ${profiles.length} columns fit it${first.word ? `, and the name has "${first.word}"` : ''}`;
  const proposal = proposalOf(first.table, first.chosen, list, evidence);
  const free = profiles.filter(({ name }) => !first.sources.has(name));
  const ofPerson = new Set(hasPerson.has(first.table) ? assignTable('person', free, keys).map(({ column }) => column.name) : []);
  const foreign = [...foreignOf(ranked, first, ofPerson)]
    .filter(([, names]) => names.length >= 3)
    .sort((a, b) => b[1].length - a[1].length)[0];
  if (!foreign || proposal.question !== undefined || foreign[1].length * 2 < first.sources.size) return proposal;
  return {
    ...proposal,
    question: questionText('otherTable', { other: foreign[0], columns: foreign[1].slice(0, 5).join(', '), table: first.table }),
  };
};
