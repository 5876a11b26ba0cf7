/** The dictionary as one document: every category table, raw table and code list, and how to read an entry. */
import { catalogue } from '../../catalogue/index.ts';
import { type LookupName, lookups } from '../../catalogue/lookups.ts';
import type { PersonalClass } from '../../catalogue/personal.ts';
import { type RawTableName, rawTables } from '../../catalogue/raw/index.ts';
import type { RawTable } from '../../catalogue/raw-table.ts';
import type { Table } from '../../catalogue/table.ts';
import { categories, tiers } from '../../catalogue/tiers.ts';
import type { ColumnDescription } from '../../query/describe-table.ts';
import {
  codeNames,
  cursorsOf,
  describedIn,
  optionalFiltersOf,
  rawColumnsOf,
  rawNames,
  readersOf,
  requestPathsOf,
  sentence,
  usersOf,
} from '../../web/docs/dictionary.ts';

const tables = [...catalogue.tables.values()];

const code = (text: string) => `\`${text.replaceAll('|', '\\|')}\``;
const codes = (names: readonly string[]) => names.map(code).join(', ');
const cell = (text: string) => text.replaceAll('|', '\\|');
const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
const grid = (head: readonly string[], rows: readonly (readonly string[])[]) => [
  row(head),
  `|${'---|'.repeat(head.length)}`,
  ...rows.map(row),
];

const toTable = (name: string) => `[${name}](#${name})`;
const toRaw = (name: string) => `[${name}](#raw-${name})`;
const toCodes = (name: string) => `[${name}](#codes-${name})`;

/** The target of a column's value: a code list, or a column of another table. */
const leadsTo = ({ lookup, targets }: ColumnDescription): string =>
  [
    ...(lookup ? [`codes ${toCodes(lookup)}`] : []),
    ...targets.map(({ table, column, isRaw }) => `${isRaw ? toRaw(table) : toTable(table)}.${column}`),
  ].join('; ');

/** The class of a personal column, after its meaning or type. */
const personalWords = (personal: PersonalClass | undefined): string => (personal ? `; personal data: ${personal}` : '');

const filtersOf = (table: Table): string => {
  const { requiredFilters } = table;
  const optional = optionalFiltersOf(table);
  return [
    ...(requiredFilters.length > 0 ? [`required ${codes(requiredFilters)}`] : []),
    ...(optional.length > 0 ? [codes(optional)] : []),
  ].join('; ');
};

const pagesOf = (table: Table): string =>
  `${table.sort.length === 0 ? 'in physical order' : `by ${codes(table.sort)}`}, ${cursorsOf(table)}`;

const describeSource = ({ source }: Table): string => {
  const joins = source.joins.map(
    ({ table, as, column, equals }) => `${toRaw(table)} as ${code(as)} by ${code(`${as}.${column} = ${equals}`)}`,
  );
  return [`${toRaw(source.table)} as ${code(source.as)}`, ...joins].join(', ');
};

const describeTable = (table: Table): readonly string[] => {
  const columns = describedIn(catalogue, table).columns.map((column) => [
    code(column.name),
    column.type,
    column.isNullable ? 'yes' : '',
    cell(column.meaning) + personalWords(column.personal),
    code(column.from),
    leadsTo(column),
  ]);
  const relations = (catalogue.relations.get(table.name) ?? []).map(({ name, kind, column, target, targetColumn, inverse }) => [
    code(name),
    kind,
    code(column),
    `${toTable(target)}.${targetColumn}`,
    code(inverse),
  ]);
  const measures = describedIn(catalogue, table).measures.map(({ name, label, unit, definition, grain, isAdditive }) => [
    code(name),
    `${label.en} (${label.de})`,
    unit,
    isAdditive ? 'yes' : '',
    definition,
    grain,
  ]);
  return [
    `### ${table.name}`,
    '',
    table.purpose,
    '',
    `- **One row**: ${table.grain}`,
    ...(table.validity
      ? [`- **Valid**: from ${code(table.validity[0])} to ${code(table.validity[1])}; groups can show the state at a day`]
      : []),
    `- **Paths**: ${codes(requestPathsOf(table))}; tier ${categories[table.category]}`,
    `- **Key**: ${code(table.key)}${table.unique.length > 0 ? `; unique too: ${codes(table.unique)}` : ''}`,
    `- **Pages**: ${pagesOf(table)}`,
    `- **Filters**: ${filtersOf(table)}`,
    `- **Source**: ${describeSource(table)}`,
    '',
    ...grid(['column', 'kind', 'null', 'meaning', 'from', 'leads to'], columns),
    '',
    ...(measures.length > 0
      ? [...grid(['measure of groups', 'called', 'unit', 'additive', 'definition', 'of which rows'], measures), '']
      : []),
    ...(relations.length > 0 ? [...grid(['relation', 'kind', 'by', 'leads to', 'other side'], relations), ''] : []),
  ];
};

const describeRaw = (name: RawTableName): readonly string[] => {
  const table: RawTable = rawTables[name];
  const readers = readersOf(catalogue, name);
  const columns = rawColumnsOf(name).map(({ name: column, type, required, personal, meaning }) => [
    code(column),
    type + personalWords(personal),
    required ? '' : 'yes',
    sentence(meaning),
  ]);
  return [
    `### raw: ${name}`,
    '',
    sentence(table.purpose),
    '',
    `- **Path**: ${code(`/raw/${name}`)}; tier ${table.tier}`,
    `- **Key**: ${code(table.key)}${table.unique.length > 0 ? `; unique too: ${table.unique.map(codes).join('; ')}` : ''}`,
    `- **Read by**: ${readers.length > 0 ? readers.map((reader) => toTable(reader.name)).join(', ') : 'no category table'}`,
    '',
    ...grid(['column', 'type', 'null', 'meaning'], columns),
    '',
  ];
};

const describeCodes = (name: LookupName): readonly string[] => {
  const used = usersOf(catalogue, name).map(({ table, column }) => `${toTable(table)}.${column}`);
  return [
    `### codes: ${name}`,
    '',
    `Used by ${used.length > 0 ? used.join(', ') : 'no column'}.`,
    '',
    ...grid(
      ['value', 'English', 'German'],
      lookups[name].map(([value, english, german]) => [code(value), cell(english), cell(german)]),
    ),
    '',
  ];
};

const columnCount = tables.reduce((sum, { columns }) => sum + Object.keys(columns).length, 0);

const contents = [
  '- [conventions](#conventions)',
  ...Object.keys(categories).map((category) => {
    const names = tables.filter((table) => table.category === category).map(({ name }) => toTable(name));
    return `- [category ${category}](#category-${category}): ${names.join(', ')}`;
  }),
  `- [raw tables](#raw-tables): ${rawNames.map(toRaw).join(', ')}`,
  `- [code lists](#code-lists): ${codeNames.map(toCodes).join(', ')}`,
];

const conventions = `## conventions

### types

| kind | in JSON | in the database |
|---|---|---|
| integer | number | 32 bits |
| bigint | number; never beyond 2^53 | 64 bits |
| number (precision, scale) | number with the digits of the database | numeric |
| string | string; sorted and compared by code point | text |
| date | \`YYYY-MM-DD\` | date |
| timestamp | \`YYYY-MM-DDTHH:MM:SS[.ffffff]Z\`, always UTC | timestamptz |
| boolean | \`true\`, \`false\` | boolean |

A column with "yes" under *null* may be null. Any column is in every row.

### common fields

| column | holds |
|---|---|
| \`name\` | the full name in one field: the company's, or title, first and last name |
| \`entrance\` | street and house number |
| \`address\` | postal code and city, separated by a comma; \`city\` and \`postal_code\` have its parts |
| \`floor_area_id\` | the unit: [property_structure](#property_structure).floor_area_id |

### how to read an entry

*From* is the column of the source, or the SQL expression over it; the letters in front of the point are the aliases under *Source*,
whose further tables are joined to the first one by a unique column, so that each of its rows gives one row. *Leads to* is the list of
codes or the column that the value refers to. *Filters* are the columns that REST filters by (GraphQL takes any column); a table is not
read without those that are required. Tables with cursors have a sort key of one column. *Relations* are GraphQL's, from both sides.
*Personal data* names the class of a column with data of
persons (contract: personal columns). Lists of codes are those that hold where a customer has none of its own; \`/meta/{table}/values/{column}\` answers what holds.`;

/** The document in Markdown. */
export const dictionaryText = (): string =>
  `${[
    '# Dictionary',
    '',
    `${tables.length} category tables with ${columnCount} columns, made from ${rawNames.length} raw tables; ${codeNames.length} lists of codes. Tiers, lowest`,
    `first, each with all of those before it: ${tiers.join(', ')}. What answers look like and how they page is in the contract (\`/docs/contract\`).`,
    '',
    ...contents,
    '',
    conventions,
    '',
    ...Object.entries(categories).flatMap(([category, tier]) => [
      `## category ${category}`,
      '',
      `Tier ${tier}.`,
      '',
      ...tables.filter((table) => table.category === category).flatMap(describeTable),
    ]),
    '## raw tables',
    '',
    'What the source delivers, loaded as it is. A customer may have more, which the loader makes from their files.',
    '',
    ...rawNames.flatMap(describeRaw),
    '## code lists',
    '',
    ...codeNames.flatMap(describeCodes),
  ]
    .join('\n')
    .trimEnd()}\n`;
