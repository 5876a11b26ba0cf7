/** The pages from `docs/guide/*.md`, with tables that are generated from code. */
import { STATUS_CODES } from 'node:http';
import type { Catalogue } from '../../catalogue/index.ts';
import { type ProblemKind, problems } from '../../errors.ts';
import { limits as documentLimits, type Limit } from '../../graphql/document/limits.ts';
import { camelCase } from '../../graphql/schema/names.ts';
import {
  connectiveNames,
  connectives,
  operatorNames,
  operators,
  quantifierNames,
  quantifiers,
  relatedCount,
} from '../../plan/vocabulary/operators.ts';
import { computationNames, computations, rowFunctionNames, rowFunctions } from '../../plan/vocabulary/values.ts';
import { pageLimits } from '../../query/parameters.ts';
import { questionInText } from '../graphiql/example-text.ts';
import { examples } from '../graphiql/examples.ts';
import { questionDocuments, titleOf } from '../graphiql/question-documents.ts';
import { exampleAddress, questionEntries } from '../graphiql/questions.ts';
import { graphiqlAddress, runLink } from '../graphiql/run-link.ts';
import { table as grid } from '../pages/elements.ts';
import { formatCount } from '../pages/format.ts';
import { type Html, html } from '../pages/html.ts';
import { projectFile } from '../pages/static-files.ts';
import { type Article, articleOf, expandMarkdown, sample, sampleKey, sampleOrigin } from './markdown.ts';

/** The limits of this service, from its settings. */
export interface ServiceLimits {
  /** Requests per hour and key; 0 for no limit. */
  readonly requestsPerHour: number;
  readonly requestTimeoutMs: number;
  readonly documentTimeoutMs: number;
  readonly statementTimeoutMs: number;
  readonly queueWaitMs: number;
  readonly deltaRetentionHours: number;
}

/** The sections of the guide in reading order, and their pages: file, name in the navigation, further search words. */
export const guide = {
  Start: {
    start: [
      'Start',
      'begin first request api key tier header authentication authorization token login quickstart python curl anfang schlüssel anmeldung zugang timezone utc zeitzone',
    ],
    explore: [
      'Explore the data',
      'explore browse look table rows filter chart pivot ansehen daten durchsuchen filtern tabelle auswerten diagramm',
    ],
  },
  'For integrators': {
    paging: ['Paging', 'pages pagination cursor offset limit next total count download export seiten blättern infinite scroll'],
    filters: [
      'Filters',
      'filter where search condition equal null parameter filtern suchen bedingung date null values sort order by sortieren sortierung columns select spalten bestimmte nur',
    ],
    copy: [
      'Keeping a copy',
      'changes changed since yesterday delta deltas sync incremental load update version etag 304 copy änderungen abgleich kopie nightly export new rows only nächtlich',
    ],
    webhooks: ['Webhooks', 'webhook event push notification callback signature hmac secret receiver benachrichtigung ereignis empfänger'],
    files: ['Files', 'file parquet ndjson duckdb pandas data lake warehouse gzip datei herunterladen'],
    connect: [
      'Connect your tool',
      'tool connector recipe curl jq pandas r duckdb typescript openapi-fetch power query dlt airbyte singer meltano integration werkzeug anbinden postman insomnia sql',
    ],
  },
  'For analysts': {
    analysts: [
      'Questions of analysts',
      'analyst questions examples rent roll vacancy ageing aging debtors budget actual service charge recovery lease expiry tenant concentration pareto fragen beispiele auswertungen betriebskostenabrechnung nebenkostenabrechnung',
    ],
    groups: [
      'Groups and measures',
      'group by sum count average aggregate aggregation having measures figure kpi report bucket month quarter top gruppieren kennzahl summe durchschnitt auswertung',
    ],
    spreadsheets: [
      'Excel and Power BI',
      'excel powerbi spreadsheet power query csv download export link refresh xlsx tableau tabellenkalkulation google sheets dashboard',
    ],
    questions: [
      'Saved questions',
      'saved question link report query spreadsheet refresh csv template gespeicherte frage abfrage bericht vorlage monthly monatlich',
    ],
    agents: ['Agents', 'agent mcp model context protocol llm language model tool tools assistant chat ki sprachmodell chatgpt claude'],
  },
  'For developers': {
    graphql: ['GraphQL', 'graphql query relation nested join abfrage beziehung react apollo urql frontend'],
  },
  'For everyone': {
    errors: ['Errors', 'error codes problem status http 400 401 403 404 422 429 500 503 unauthorized forbidden fehler fehlermeldung'],
    limits: ['Limits', 'rate limit quota requests hour timeout zeitlimit grenzen kontingent'],
    contract: ['Contract', 'contract promise specification rule detail vertrag zusage'],
    comparison: [
      'Comparison',
      'compare alternative postgrest hasura postgraphile directus cube data api builder supabase datasette metabase vergleich',
    ],
  },
  'For operators': {
    'load-your-export': [
      'Load your export',
      'load import erp export source file draft sync csv excel xlsx datev mariadb laden einlesen import cron encoding charset utf quarantine',
    ],
    administration: [
      'Administration',
      'estate command line cli customer add issue key rotate revoke scope settings cors restore portal verwaltung kunde anlegen schlüssel erneuern einstellungen data protection privacy gdpr personal datenschutz dsgvo password permission',
    ],
    operating: [
      'Operating',
      'operate production postgresql redis haproxy nginx replica pgbouncer citus backup upgrade monitoring prometheus alert betrieb sicherung datensicherung überwachung docker container image kubernetes installation memory encryption https tls certificate',
    ],
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, readonly [name: string, words: string]>>>>;

/** Documents that are also pages of the guide. */
const documents: readonly string[] = ['contract', ...Object.keys(guide['For operators'])];

/** The names of all pages of the guide. The address of a page is `/docs/` and its name; `start` is at `/docs`. */
export const guidePages: readonly string[] = Object.values(guide).flatMap((pages) => Object.keys(pages));

const markdownOf = (page: string): string => projectFile(documents.includes(page) ? `docs/${page}.md` : `docs/guide/${page}.md`);

/** The recommended reaction to each error. */
const advice: Record<Exclude<ProblemKind, 'abandoned'>, string> = {
  malformedRequest: 'Send HTTP as it should be: one Host header, a path that can be decoded, a length that is true.',
  missingFilters: 'Add the filters that are named.',
  limitExceeded: 'Ask for less in one document; the limit that was passed is named.',
  unauthorized: 'Send a key that is valid in the header X-API-Key; it may be missing, mistyped, expired or revoked.',
  signedOut: 'Sign in to the portal again; only the operator view answers with this.',
  suspended: 'Resume the customer in the portal; only the operator view answers with this.',
  otherSite: 'Open the operator view from the portal.',
  forbidden: 'The key’s tier or endpoint groups do not include this, or the customer is suspended; ask the operator.',
  filesOfPart: 'Read the pages of the table; a file would hold rows of other properties.',
  notFound: 'Check the spelling of category and table; paths have no trailing slash.',
  noDelivery: 'Use the Location of the answer to PUT, with the key that delivered.',
  noQuestion: 'Ask /questions for the names.',
  operatorsQuestion: 'Choose another name, or ask the operator.',
  tooManyQuestions: 'Remove a question that nobody asks any more.',
  questionExists: 'Choose another name, or replace the question with If-Match.',
  questionChanged: 'Read the question in /questions again: it has changed, or it is gone.',
  matchRequired: 'Choose another name, or send the etag from /questions in If-Match.',
  noLookupValues: 'The column has no list of codes; its table’s page says which ones have.',
  noFile: 'Ask for latest, or look up the current version at /files.',
  methodNotAllowed: 'Use one of the methods in Allow.',
  notAcceptable: 'Name one of these types in the header Accept, or leave it out.',
  requestTimeout: 'Send the request at once, its body included.',
  deltasOfPart: 'Download the table again whenever its version in /changes has grown.',
  deliveryConflict: 'Name a source with ?source=, or let a person of the operator decide about the deliveries that wait.',
  deltasGone: 'Download the table again and continue from its version.',
  preconditionFailed: 'Download the file from its beginning; the one that the client began is another.',
  payloadTooLarge: 'Send a smaller body.',
  uriTooLong: 'Send a shorter path.',
  unsupportedMediaType: 'Send a JSON body with Content-Type: application/json.',
  deliveryType: 'Send the bytes of the file, such as with curl -T; a form would put its own text around them.',
  rangeNotSatisfiable: 'Ask for bytes within the length that Content-Range names.',
  expectationFailed: 'Leave the header Expect out.',
  invalidParameter: 'Correct the parameters; each one that is wrong is named with what is wrong.',
  rateLimitExceeded: 'Wait as long as Retry-After says, then ask less often.',
  tooManyDeliveries: 'Send the file again after Retry-After.',
  tooManyConnections: 'Close connections or use them again; try again after Retry-After.',
  headersTooLarge: 'Send fewer or shorter headers.',
  internal: 'Try again later; report it with the X-Request-Id of the answer.',
  closing: 'Try again after the seconds in Retry-After.',
  busy: 'Let earlier requests finish first; try again after Retry-After.',
  unavailable: 'Try again after the seconds in Retry-After.',
  filesUnavailable: 'Try again after the seconds in Retry-After. Pages and GraphQL still answer.',
  timeout: 'Ask for less, with filters or smaller pages, or try again later.',
};

const errorTable = (): Html =>
  grid(
    [{ label: 'Status' }, { label: 'Detail' }, { label: 'What to do' }],
    (Object.keys(advice) as (keyof typeof advice)[])
      .sort((one, other) => problems[one][0] - problems[other][0])
      .map((kind) => [
        html`<strong>${problems[kind][0]}</strong> ${STATUS_CODES[problems[kind][0]]}`,
        html`<code class="strong">${problems[kind][1]}</code>`,
        advice[kind],
      ]),
    'Errors',
  );

const limitTable = (caption: string, rows: readonly (readonly [what: string, max: string, counts: string])[]): Html =>
  grid([{ label: 'Limit' }, { label: 'At most', isNumber: true }, { label: 'Counts' }], rows, caption);

const counts: Record<Limit, string> = {
  depth: 'levels down to the leaf; introspection is exempt',
  aliases: 'aliases, wherever they stand',
  tokens: 'tokens of the document',
  lines: 'lines of the document',
  operations: 'operations of the document',
  selections: 'fields and fragments, after fragments are spread',
  pairs: 'pairs of fields with one name in the answer, and pairs of spread fragments',
  objects: 'input objects in the text of the document; variables can have more',
  inputs: 'values of the variables, lists and objects included',
  terms: 'comparisons in all filters; a step along a relation, in filters and orders, is 40',
  listed: 'values in all lists of filters',
  nesting: 'levels of and, or and not in a filter',
  nodes: 'a field’s first, times its parents’, times how often the answer shows it, in all',
  values: 'rows times fields that the answer shows',
  reads: 'connections and relations',
  introspected: 'fields of an answer about the schema',
};

const seconds = (ms: number): string => `${formatCount(ms / 1000)} s`;

const requestLimits = (limits: ServiceLimits): Html =>
  limitTable('Requests', [
    [
      'Requests',
      limits.requestsPerHour > 0 ? formatCount(limits.requestsPerHour) : 'no limit',
      'in an hour, for each key and all that it was rotated from or into',
    ],
    ['Sending a request', seconds(limits.requestTimeoutMs), 'until it is received whole, body included'],
    ['Waiting', seconds(limits.queueWaitMs), 'behind other requests of the same customer'],
    ['Reading', seconds(limits.statementTimeoutMs), 'for one statement of the database'],
    ['A GraphQL document', seconds(limits.documentTimeoutMs), 'for all that it reads'],
    ['Deltas', `${formatCount(limits.deltaRetentionHours)} h`, 'retention of changes; an older version is a 410'],
  ]);

const pageLimitTable = (): Html =>
  limitTable('Pages', [
    [
      'limit',
      formatCount(pageLimits.limit.max),
      `rows of a page, at least ${pageLimits.limit.min}; ${formatCount(pageLimits.limit.defaultValue)} if absent`,
    ],
    ['offset', formatCount(pageLimits.offset.max), 'rows before the page; a cursor reaches further'],
  ]);

const documentLimitTable = (): Html =>
  limitTable(
    'GraphQL documents',
    (Object.keys(counts) as Limit[]).map((name) => [name, formatCount(documentLimits[name]), counts[name]] as const),
  );

const requiredFilters = ({ tables }: Catalogue): Html =>
  grid(
    [{ label: 'Table' }, { label: 'Needs' }],
    [...tables.values()]
      .filter((table) => table.requiredFilters.length > 0)
      .map((table) => [
        html`<a href="/docs/tables/${table.name}">${table.name}</a>`,
        html`${table.requiredFilters.map((name) => html`<code class="strong">${name}</code> `)}`,
      ]),
    'Tables with required filters',
  );

/** The operators, connectives, quantifiers and values of conditions in the vocabulary, in both APIs. */
const operatorTable = (): Html =>
  grid(
    [{ label: 'In REST' }, { label: 'In GraphQL' }, { label: 'Meaning' }],
    [
      ...operatorNames.map((name) => [operators[name].example, name, operators[name].meaning] as const),
      ...connectiveNames.map((name) => [connectives[name].example, connectives[name].is, connectives[name].meaning] as const),
      ...quantifierNames.map((name) => [quantifiers[name].example, name, quantifiers[name].meaning] as const),
      [relatedCount.example, relatedCount.call, relatedCount.meaning] as const,
      [rowFunctions.days.condition, rowFunctionNames.join(', '), 'The same for a function of two columns.'] as const,
    ].map(([example, name, meaning]) => [html`<code class="strong">${example}</code>`, html`<code>${name}</code>`, meaning]),
    'Operators',
  );

const computationTable = (): Html =>
  grid(
    [{ label: 'In REST' }, { label: 'In GraphQL' }, { label: 'Meaning' }],
    computationNames.map((name) => [
      html`<code class="strong">${computations[name].example}</code>`,
      html`<code>${camelCase(name)}</code>`,
      computations[name].meaning,
    ]),
    'Computed values',
  );

const rowFunctionTable = (): Html =>
  grid(
    [{ label: 'In REST' }, { label: 'In GraphQL' }, { label: 'Meaning' }],
    rowFunctionNames.map((name) => [
      html`<code class="strong">${rowFunctions[name].example}</code>`,
      html`<code>${name}(${Object.keys(rowFunctions[name].operands).join(', ')})</code>`,
      rowFunctions[name].meaning,
    ]),
    'Row functions',
  );

/** The form for the reader's key. It needs JavaScript, because the key leaves the page only as a header. */
const keyPanel = html`<div class="panel" data-key-panel hidden>
<form class="key-form"><label><span class="label">Your key</span><input type="password" name="key" placeholder="est_…" autocomplete="off" spellcheck="false"></label><button class="primary">Use it here</button><button type="button" data-forget hidden>Forget it</button></form>
<p class="hint" role="status" data-key-state>Samples show it then, GraphiQL and the reference use it. It stays in this tab and is sent to this service alone, as a header.</p>
</div>`;

const exampleList = (): Html =>
  html`<ul>${Object.values(examples).map((query) => html`<li><a href="${graphiqlAddress(query)}">${questionInText(query)}</a></li>`)}</ul>`;

/** The questions of analysts, each with what it counts and its requests. */
const questionList = (): Html =>
  html`${questionEntries.map(([name, question]) => {
    const document = questionDocuments[name];
    return html`<h2 id="${name}">${titleOf(question)}</h2>
<p>${question.note} ${runLink(document, titleOf(question))}</p>
${sample([
  ['sh', `curl -H 'X-API-Key: ${sampleKey}' '${sampleOrigin}${exampleAddress(question)}'`],
  ['graphql', document.slice(document.indexOf('query ')).trimEnd()],
])}
`;
  })}`;

/** The generated blocks of the guide, by the comments that they replace. */
const blocksOf = (catalogue: Catalogue, limits: ServiceLimits): Readonly<Record<string, () => Html>> => ({
  key: () => keyPanel,
  'list: examples': exampleList,
  'questions of the key': () => html`<div data-questions><p class="quiet">With a key, your questions are listed here.</p></div>`,
  'list: questions': questionList,
  'table: errors': errorTable,
  'table: operators': operatorTable,
  'table: row functions': rowFunctionTable,
  'table: computations': computationTable,
  'table: request limits': () => requestLimits(limits),
  'table: page limits': pageLimitTable,
  'table: graphql limits': documentLimitTable,
  'table: required filters': () => requiredFilters(catalogue),
  'file: examples/webhook-receiver': () =>
    sample([
      ['python', projectFile('examples/webhook-receiver.py')],
      ['ts', projectFile('examples/webhook-receiver.mts')],
    ]),
  'file: examples/keep-a-copy.mjs': () => sample([['js', projectFile('examples/keep-a-copy.mjs')]]),
});

export const guideArticle = (page: string, catalogue: Catalogue, limits: ServiceLimits): Article =>
  articleOf(markdownOf(page), blocksOf(catalogue, limits));

/** A page of the guide as Markdown, for agents. Generated tables and lists are HTML, which Markdown allows. */
export const guideMarkdown = (page: string, catalogue: Catalogue, limits: ServiceLimits): string =>
  expandMarkdown(markdownOf(page), blocksOf(catalogue, limits));

export const changelogArticle = (): Article => articleOf(projectFile('CHANGELOG.md'));
