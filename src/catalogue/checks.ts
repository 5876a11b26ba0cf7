/** The checks of the data: those that tables declare, and those that follow from relations, code lists, validities and types of columns. */
import type { Check, CheckRule, CheckTexts, DeclaredCheck, ReferenceTarget, Severity } from './check-rule.ts';
import type { Column } from './column.ts';
import type { Catalogue } from './index.ts';
import { type RawTableName, rawTables } from './raw/index.ts';
import type { RawTable } from './raw-table.ts';
import type { Table } from './table.ts';

/** Days and times after this many years are far in the future. */
export const farYears = 100;

interface Part extends CheckTexts {
  readonly name: string;
  readonly rule: CheckRule;
  readonly columns: readonly string[];
  readonly others?: Check['others'];
  readonly severity?: Severity | undefined;
}

/** The target of a path: a category table, otherwise a raw table. */
const targetOf = ({ tables }: Catalogue, path: string): ReferenceTarget => {
  const [table = '', column = ''] = path.split('.');
  const found = tables.get(table);
  if (found) return { kind: 'category', table, column, isUnique: found.key === column || found.unique.includes(column) };
  const raw: RawTable = rawTables[table as RawTableName];
  return { kind: 'raw', table, column, isUnique: raw.key === column || raw.unique.some((key) => key.join() === column) };
};

const referencesOf = (catalogue: Catalogue, table: Table): Part[] => {
  const related = Object.values(table.relations).filter(({ kind }) => kind === 'to-one');
  // A column with relations to several tables refers to one of them, so only a declared target says where its row is.
  const single = related.filter(({ column }) => related.filter((other) => other.column === column).length === 1);
  const paths = new Map(single.map(({ column, to }) => [column, to]));
  for (const [column, { references }] of Object.entries(table.columns))
    if (references !== undefined && !paths.has(column)) paths.set(column, references);
  return [...paths].map(([column, path]) => {
    const target = targetOf(catalogue, path);
    return {
      name: `${column}.reference`,
      rule: { is: 'reference', column, target },
      columns: [column],
      others: target.table === table.name ? [] : [target],
      en: `references without target: ${column} is in no row of ${target.table}`,
      de: `Verweise ohne Ziel: ${column} steht in keiner Zeile von ${target.table}`,
    };
  });
};

const codesOf = ([column, { lookup }]: readonly [string, Column]): Part[] =>
  lookup === undefined
    ? []
    : [
        {
          name: `${column}.code`,
          rule: { is: 'code', column, lookup },
          columns: [column],
          en: `codes without a label: ${column}`,
          de: `Schlüssel ohne Bezeichnung: ${column}`,
        },
      ];

/** The validity of the table, and every other pair of days whose names end with `_from` and `_to`. */
const periodsOf = ({ columns, validity }: Table): Part[] => {
  const pairs = Object.keys(columns).flatMap((from): (readonly [string, string])[] => {
    const to = from.replace(/_from$/, '_to');
    return to !== from && columns[from]!.kind === 'date' && columns[to]?.kind === 'date' ? [[from, to]] : [];
  });
  const all = validity && !pairs.some(([from]) => from === validity[0]) ? [validity, ...pairs] : pairs;
  return all.map(([from, to]) => ({
    name: `${to}.period`,
    rule: { is: 'period', from, to },
    columns: [from, to],
    en: `rows that end before they begin: ${to} is before ${from}`,
    de: `Zeilen, die vor ihrem Beginn enden: ${to} liegt vor ${from}`,
  }));
};

const futuresOf = ([column, { kind }]: readonly [string, Column]): Part[] =>
  kind === 'date' || kind === 'timestamp'
    ? [
        {
          name: `${column}.future`,
          rule: { is: 'future', column },
          columns: [column],
          en: `days more than ${farYears} years ahead: ${column}`,
          de: `Tage, die mehr als ${farYears} Jahre in der Zukunft liegen: ${column}`,
        },
      ]
    : [];

/** The columns whose sums are compared with those of the last load: amounts. */
export const summedColumns = ({ columns }: Table): readonly string[] =>
  Object.keys(columns).filter((name) => columns[name]!.kind === 'number' && !columns[name]!.isRate);

export const nullableColumns = ({ columns }: Table): readonly string[] => Object.keys(columns).filter((name) => !columns[name]!.required);

/** Checks against the last load. Their texts follow a number of columns, or of tables. */
const changesOf = (table: Table): Part[] => [
  {
    name: 'rows',
    rule: { is: 'rows' },
    columns: [],
    en: 'the number of rows is less than half or more than twice that of the last load',
    de: 'die Zahl der Zeilen ist weniger als die Hälfte oder mehr als das Doppelte der letzten Ladung',
  },
  {
    name: 'nulls',
    rule: { is: 'nulls' },
    columns: nullableColumns(table),
    en: 'columns whose share of empty values has grown by more than 20 points since the last load',
    de: 'Spalten, deren Anteil leerer Werte seit der letzten Ladung um mehr als 20 Punkte gewachsen ist',
  },
  {
    name: 'sums',
    rule: { is: 'sums' },
    columns: summedColumns(table),
    en: 'columns whose sum of amounts is less than half or more than twice that of the last load',
    de: 'Spalten, deren Summe der Beträge weniger als die Hälfte oder mehr als das Doppelte der letzten Ladung ist',
  },
];

/** The columns of a table that a rule reads, without those in conditions. */
const columnsOf = (rule: DeclaredCheck): readonly string[] => {
  switch (rule.is) {
    case 'sum':
      return [...rule.parts, ...(rule.less ?? []), rule.total];
    case 'period':
      return [rule.from, rule.to];
    case 'overlap':
      return [...rule.by, rule.from, rule.to];
    case 'total':
      return [rule.on[0], ...(rule.column === undefined ? [] : [rule.column])];
    case 'where':
      return [];
  }
};

const declaredOf = ({ checks }: Table): Part[] =>
  Object.entries(checks).map(([name, { en, de, severity, ...rule }]) => ({
    name,
    rule: rule as CheckRule,
    columns: columnsOf(rule as DeclaredCheck),
    others: rule.is === 'total' ? [rule.of] : [],
    severity,
    en,
    de,
  }));

/** The checks of a table, with the names of the catalogue. */
const checksOf = (catalogue: Catalogue, table: Table): Check[] => {
  const columns = Object.entries(table.columns);
  const parts = [
    ...declaredOf(table),
    ...referencesOf(catalogue, table),
    ...columns.flatMap(codesOf),
    ...periodsOf(table),
    ...columns.flatMap(futuresOf),
    ...changesOf(table),
  ];
  return parts.map(({ name, others = [], severity = 'warn', ...part }) => ({
    ...part,
    name: `${table.name}.${name}`,
    table: table.name,
    severity,
    others: others.map(({ kind, table: other }) => ({ kind, table: other })),
  }));
};

/** Every check of the catalogue. */
export const checksIn = (catalogue: Catalogue): readonly Check[] =>
  [...catalogue.tables.values()].flatMap((table) => checksOf(catalogue, table));
