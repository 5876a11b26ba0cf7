/** `/docs/tables` and its pages: the data dictionary, derived from the catalogue. */

import type { Catalogue } from '../../catalogue/index.ts';
import { lookups } from '../../catalogue/lookups.ts';
import { type RawTableName, rawTables } from '../../catalogue/raw/index.ts';
import type { RawTable } from '../../catalogue/raw-table.ts';
import { pathOfTable, type Table } from '../../catalogue/table.ts';
import { glossary } from '../../catalogue/texts/glossary.ts';
import { categories } from '../../catalogue/tiers.ts';
import { filesPathOf, parquetPathOf } from '../../files/formats.ts';
import { byIdName, camelCase, rowTypeName, upperFirst } from '../../graphql/schema/names.ts';
import { programs as printers } from '../../prints/programs.ts';
import type { ColumnDescription, ColumnTarget } from '../../query/describe-table.ts';
import { pageLimits } from '../../query/parameters.ts';
import { measureQuery, runLink, tableQuery } from '../graphiql/run-link.ts';
import { table as grid, pill } from '../pages/elements.ts';
import { type Html, html } from '../pages/html.ts';
import { csvPathOf } from './data-source.ts';
import { allRelations, neighbourhood } from './diagram.ts';
import { cursorsOf, describedIn, optionalFiltersOf, rawColumnsOf, readersOf, requestPathsOf, sentence, usersOf } from './dictionary.ts';
import { type Article, sample, sampleKey, sampleOrigin, slugOf } from './markdown.ts';
import { fileQuery, rangeConditionOf, rangeQuery } from './power-query.ts';
import type { Readable } from './readable.ts';

const joined = (parts: readonly Html[], by = ', '): Html => html`${parts.map((part, index) => html`${index > 0 && by}${part}`)}`;
const codes = (names: readonly string[]): Html => joined(names.map((name) => html`<code>${name}</code>`));

/** A raw table by its name, with a link if it is shown. */
const toRaw = (rawNames: readonly string[], name: string, text: Html | string): Html =>
  rawNames.includes(name) ? html`<a href="/docs/raw#${name}">${text}</a>` : html`${text}`;

const toTarget =
  (rawNames: readonly string[]) =>
  ({ table, column, isRaw }: Pick<ColumnTarget, 'table' | 'column' | 'isRaw'>): Html =>
    isRaw
      ? toRaw(rawNames, table, html`<code>${table}.${column}</code>`)
      : html`<a href="/docs/tables/${table}#column-${column}"><code>${table}.${column}</code></a>`;

/** The German terms for a table. */
export const termsOf = (name: string): readonly string[] => glossary.filter(({ table }) => table === name).map(({ german }) => german);

const codeList = (
  name: NonNullable<ColumnDescription['lookup']>,
  table: string,
  column: string,
): Html => html`<details class="codes" data-codes="/meta/${table}/values/${column}">
<summary>${lookups[name].length} codes</summary>
<dl>${lookups[name].map(([value, english, german]) => html`<div><dt><code>${value}</code></dt><dd>${english} <span lang="de" class="quiet">${german}</span></dd></div>`)}</dl>
<a href="/docs/codes#${name}">The list ${name}</a></details>`;

const meaningOf = (table: Table, rawNames: readonly string[], { name, meaning, lookup, targets }: ColumnDescription): Html =>
  html`${sentence(meaning)}${targets.length > 0 && html` <span class="leads">→ ${joined(targets.map(toTarget(rawNames)))}</span>`}${lookup && codeList(lookup, table.name, name)}`;

const columnTable = ({ catalogue, rawNames }: Readable, table: Table): Html =>
  grid(
    [{ label: 'Column' }, { label: 'In GraphQL' }, { label: 'Type' }, { label: 'Meaning' }],
    describedIn(catalogue, table).columns.map((column) => [
      html`<code id="column-${column.name}" class="strong">${column.name}</code> ${column.name === table.key && pill('key', 'good')} ${
        column.filter && pill(column.filter === 'required' ? 'required filter' : 'filter', column.filter === 'required' ? 'warn' : 'off')
      } ${column.personal && pill(`personal: ${column.personal}`, 'off')}`,
      html`<code>${camelCase(column.name)}</code>`,
      html`${column.type}${column.isNullable && html` <span class="quiet">or null</span>`}`,
      html`${meaningOf(table, rawNames, column)}<code class="source">${column.from}</code>`,
    ]),
    `Columns of ${table.name}`,
  );

const measureTable = ({ catalogue, includes }: Readable, table: Table): Html =>
  grid(
    [{ label: 'Measure' }, { label: 'In GraphQL' }, { label: 'Unit' }, { label: 'Meaning' }],
    describedIn(catalogue, table).measures.map((measure) => {
      const { name, label, unit, definition, grain, isAdditive } = measure;
      return [
        html`<code id="measure-${name}" class="strong">${name}</code> ${isAdditive && pill('additive', 'off')}`,
        html`<code>${camelCase(name)}</code>`,
        unit,
        html`${upperFirst(label.en)}, <span lang="de">${label.de}</span>. ${definition} <span class="quiet">Of ${grain}.</span>${includes('graphql') && html` ${runLink(measureQuery(catalogue, table, measure), name)}`}`,
      ];
    }),
    `Measures of ${table.name}`,
  );

const relationTable = ({ relations }: Catalogue, { name }: Table): Html =>
  grid(
    [{ label: 'Relation in GraphQL' }, { label: 'Leads to' }, { label: 'By' }, { label: 'Other side' }],
    (relations.get(name) ?? []).map(({ name: relation, kind, column, target, targetColumn, inverse }) => [
      html`<code class="strong">${relation}</code>`,
      html`${kind === 'to-one' ? 'one of' : 'many of'} <a href="/docs/tables/${target}">${target}</a>`,
      html`<code>${column}</code> = <code>${targetColumn}</code>`,
      html`<code>${inverse}</code>`,
    ]),
    `Relations of ${name}`,
  );

/** A request that returns demo rows, in every language of the endpoint groups. */
const request = (table: Table, includes: Readable['includes']): Html => {
  const filters = table.requiredFilters.map((name) => [name, String(table.columns[name]?.example ?? '')] as const);
  const query = new URLSearchParams([...filters.map((filter) => [...filter]), ['limit', '10']]).toString();
  const asked = { origin: sampleOrigin, address: `${pathOfTable(table)}?${query}`, key: sampleKey };
  const rest = [
    ['sh', printers.curl(asked)],
    ['python', printers.python(asked).trimEnd()],
    ['ts', printers.typescript(asked).trimEnd()],
    ['powerquery', printers.power_query(asked).trimEnd()],
  ] as const;
  const graphql = ['graphql', tableQuery(table).trimEnd()] as const;
  return sample([...(includes('rest') ? rest : []), ...(includes('graphql') ? [graphql] : [])]);
};

/** Addresses and queries for programs that open an address and ask for the key themselves. */
const programs = (table: Table, includes: Readable['includes']): Html => {
  const address = (path: string): Html => html`<code class="long">${sampleOrigin}${path}</code>`;
  const condition = rangeConditionOf(table);
  const range = rangeQuery(table);
  const file = filesPathOf('category', table.name);
  return html`<p>Excel, Power BI, pandas and other programs open these addresses. They ask for a user name and a password: the user name may be anything, the password is the key. More under <a href="/docs/spreadsheets">Excel and Power BI</a> and <a href="/docs/files">Files</a>.</p>
<dl class="facts">
${includes('rest') && fact('CSV of rows', address(csvPathOf(table)))}
${includes('files') && fact('CSV of the table', address(`${file}/latest.csv.gz`))}
${includes('files') && fact('Parquet', address(parquetPathOf(table.name)))}
</dl>
${includes('files') && html`<p>Power Query for the whole table:</p>${sample([['powerquery', fileQuery(table)]])}`}
${
  includes('rest') &&
  condition &&
  range !== undefined &&
  html`<p>Power Query for an incremental refresh of Power BI. The parameters <code>RangeStart</code> and <code>RangeEnd</code> become a condition on <code>${condition.column}</code>. Up to ${pageLimits.limit.max.toLocaleString('en')} rows are one request:</p>${sample([['powerquery', range]])}`
}`;
};

const sourceOf = ({ rawNames }: Readable, { source }: Table): Html =>
  joined([
    html`${toRaw(rawNames, source.table, source.table)} as <code>${source.as}</code>`,
    ...source.joins.map(
      ({ table, as, column, equals }) =>
        html`${toRaw(rawNames, table, table)} as <code>${as}</code> where <code>${as}.${column} = ${equals}</code>`,
    ),
  ]);

const fact = (name: string, value: Html | string): Html => html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`;

export const tableArticle = (readable: Readable, table: Table): Article => {
  const { catalogue, includes } = readable;
  const { name, category, key, unique, sort } = table;
  const terms = termsOf(name);
  const picture = neighbourhood(catalogue, table);
  const required = table.requiredFilters;
  const hasMeasures = describedIn(catalogue, table).measures.length > 0;
  const hasPrograms = includes('rest') || includes('files');
  const body = html`<p class="crumbs"><a href="/docs/tables">Tables</a> / <a href="/docs/tables#${category}">${category}</a></p>
<h1>${name}</h1>
<p class="lead">${sentence(table.purpose)}</p>
<dl class="facts">
${fact('One row', sentence(table.grain))}
${table.validity && fact('Valid', html`from <code>${table.validity[0]}</code> to <code>${table.validity[1]}</code>; groups can show the <a href="/docs/groups">state at a day</a>`)}
${terms.length > 0 && fact('In German', html`<span lang="de">${terms.join(', ')}</span>`)}
${includes('rest') && fact('REST', codes(requestPathsOf(table)))}
${includes('graphql') && fact('GraphQL', html`<code>${camelCase(name)}</code>, one row <code>${byIdName(name)}</code>, type <code>${rowTypeName(name)}</code> ${runLink(tableQuery(table), name)}`)}
${fact('Tier', categories[category])}
<div hidden><dt>Your data</dt><dd data-state-of="${name}"></dd></div>
${fact('Key', html`<code>${key}</code>${unique.length > 0 && html`; unique too: ${codes(unique)}`}`)}
${fact('Order', html`${sort.length > 0 ? codes(sort) : 'physical'}, ${cursorsOf(table)} (<a href="/docs/paging">Paging</a>)`)}
${fact('Filters in REST', html`${required.length > 0 && html`required: ${codes(required)}; `}${codes(optionalFiltersOf(table))}`)}
${fact('Source', sourceOf(readable, table))}
</dl>
<div hidden class="notice warn" data-checks-of="${name}"></div>
${includes('rest') && html`<p><a href="/explore#${pathOfTable(table)}">Look at its rows in Explore</a></p>`}
<h2 id="columns">Columns</h2>
${columnTable(readable, table)}
<h2 id="request">The request</h2>
${request(table, includes)}
${
  hasPrograms &&
  html`<h2 id="programs">In other programs</h2>
${programs(table, includes)}`
}
${
  hasMeasures &&
  html`<h2 id="measures">Measures</h2>
<p>Figures of the trade over <a href="/docs/groups">groups</a> of these rows.</p>
${measureTable(readable, table)}`
}
<h2 id="relations">Relations</h2>
${picture ? html`${picture}${relationTable(catalogue, table)}` : html`<p>No table refers to this one, and it refers to none.</p>`}`;
  const headings = [
    { id: 'columns', text: 'Columns' },
    { id: 'request', text: 'The request' },
    ...(hasPrograms ? [{ id: 'programs', text: 'In other programs' }] : []),
    ...(hasMeasures ? [{ id: 'measures', text: 'Measures' }] : []),
    { id: 'relations', text: 'Relations' },
  ];
  return { title: name, summary: sentence(table.purpose), headings, body };
};

/** Categories with tables, and their tiers. */
const categoriesIn = (catalogue: Catalogue) => Object.entries(categories).filter(([category]) => tablesIn(catalogue, category).length > 0);

const tablesIn = ({ tables }: Catalogue, category: string): readonly Table[] =>
  [...tables.values()].filter((table) => table.category === category);

export const tablesArticle = (catalogue: Catalogue): Article => ({
  title: 'Tables',
  summary: 'Every table by category, the meaning of its rows, and the relations between tables.',
  headings: [
    ...categoriesIn(catalogue).map(([category]) => ({ id: category, text: category })),
    { id: 'relations', text: 'How they relate' },
  ],
  body: html`<h1>Tables</h1>
<p class="lead">${catalogue.tables.size} tables with ${[...catalogue.tables.values()].reduce((sum, { columns }) => sum + Object.keys(columns).length, 0)} columns, the same over REST and GraphQL. What the source calls a <span lang="de">Meldung</span> or a <span lang="de">Kreditor</span> is in the <a href="/docs/glossary">glossary</a>; what a code means is under <a href="/docs/codes">codes</a>.</p>
${categoriesIn(catalogue).map(
  ([category, tier]) => html`<h2 id="${category}">${category} <span class="hint">from tier ${tier}</span></h2>
${grid(
  [{ label: 'Table' }, { label: 'Holds' }, { label: 'One row' }, { label: 'Columns', isNumber: true }],
  tablesIn(catalogue, category).map((table) => [
    html`<a href="/docs/tables/${table.name}"><code class="strong">${table.name}</code></a><span class="state" data-state-of="${table.name}"></span>`,
    sentence(table.purpose),
    table.grain,
    String(Object.keys(table.columns).length),
  ]),
  `Tables of ${category}`,
)}`,
)}
<h2 id="relations">How they relate</h2>
<p>A line is a reference of one table to another; point at a table, or walk to it with the Tab key, to see its own. Each table's page names them.</p>
${allRelations(catalogue)}
<details><summary>The same in words</summary><ul class="plain-list">${[...catalogue.tables.values()].map((table) => {
    const targets = [...new Set(Object.values(table.relations).map(({ to }) => to.split('.')[0]))];
    return html`<li><a href="/docs/tables/${table.name}">${table.name}</a> refers to ${targets.length > 0 ? targets.join(', ') : 'no table'}.</li>`;
  })}</ul></details>`,
});

export const codesArticle = ({ catalogue, codeNames }: Readable): Article => ({
  title: 'Codes',
  summary: 'What the codes of coded columns mean, in English and German.',
  headings: [],
  body: html`<h1>Codes</h1>
<p class="lead">What coded columns hold, in English and German. A customer can have lists of its own, which go before these: a code that is not here is one of them. <code>GET /meta/{table}/values/{column}</code> answers the list that holds for your key, and each <a href="/docs/tables">table</a> shows it at the column once your key is given.</p>
${codeNames.map(
  (name) => html`<h2 id="${name}">${name}</h2>
<p>${usersOf(catalogue, name).length > 0 ? html`Used by ${joined(usersOf(catalogue, name).map(toTarget([])))}.` : 'Used by no column.'}</p>
${grid(
  [{ label: 'Code' }, { label: 'English' }, { label: 'German' }],
  lookups[name].map(([value, english, german]) => [
    html`<code class="strong" id="${name}-${value}">${value}</code>`,
    english,
    html`<span lang="de">${german}</span>`,
  ]),
  `Codes of ${name}`,
)}`,
)}`,
});

export const glossaryArticle = (): Article => ({
  title: 'Glossary',
  summary: 'The terms of German property management and where they are found here.',
  headings: [],
  body: html`<h1>Glossary</h1>
<p class="lead">The terms of German property management, and where they are found here.</p>
${grid(
  [{ label: 'German' }, { label: 'English' }, { label: 'Here' }],
  glossary.map(({ german, english, where }) => [
    html`<span lang="de" class="strong" id="${slugOf(german)}">${german}</span>`,
    english,
    where,
  ]),
  'Terms',
)}`,
});

export const rawArticle = ({ catalogue, rawNames }: Readable): Article => ({
  title: 'Raw tables',
  summary: 'What the source delivers, loaded as it is, for export under /raw.',
  headings: [],
  body: html`<h1>Raw tables</h1>
<p class="lead">What the source delivers, loaded as it is; the tables are made from these. <code>GET /raw/{table}</code> exports one. A customer may have more, which <code>GET /raw/tables</code> lists.</p>
${rawNames.map((name: RawTableName) => {
  const table: RawTable = rawTables[name];
  const readers = readersOf(catalogue, name);
  return html`<h2 id="${name}">${name}</h2>
<p>${sentence(table.purpose)} Key <code>${table.key}</code>, tier ${table.tier}. ${
    readers.length > 0
      ? html`Read by ${joined(readers.map((reader) => html`<a href="/docs/tables/${reader.name}">${reader.name}</a>`))}.`
      : 'No category table shown here is made from it.'
  }</p>
<details><summary>${Object.keys(table.columns).length} columns</summary>
${grid(
  [{ label: 'Column' }, { label: 'Type' }, { label: 'Meaning' }],
  rawColumnsOf(name).map(({ name: column, type, required, personal, meaning }) => [
    html`<code class="strong">${column}</code> ${personal && pill(`personal: ${personal}`, 'off')}`,
    html`${type}${!required && html` <span class="quiet">or null</span>`}`,
    sentence(meaning),
  ]),
  `Columns of ${name}`,
)}</details>`;
})}`,
});
