/** A seeded generator of requests to every interface, made from the whole catalogue, so that many ask for what a scope hides. */
import { createHash } from 'node:crypto';
import { kinds } from '../../src/catalogue/kinds.ts';
import type { Table } from '../../src/catalogue/table.ts';
import type { Random } from '../support/random.ts';
import { AgentRequests } from './agent-requests.ts';
import { Documents } from './documents.ts';
import { type GroupFeature, GroupRequests, groupFeatures } from './group-requests.ts';
import { categoryTables, Guesses, type Parameter, type Pool, rawNames } from './guesses.ts';
import { RowRequests } from './row-requests.ts';

export interface Question {
  readonly method: 'GET' | 'HEAD' | 'POST';
  readonly path: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The key is a password, where the service accepts it. */
  readonly isBasic?: boolean;
}

/** The saved questions of both worlds. */
export const questionCount = 60;
export const questionName = (index: number) => `question-${index}`;

/** What the generator asks. */
export const interfaces = [
  'pages',
  'rows',
  'groups',
  'raw',
  'service',
  'graphql',
  'bands',
  'series',
  'computed',
  'files',
  'questions',
  'agents',
] as const;
export type Interface = (typeof interfaces)[number];

/** Interfaces whose requests are rows and groups of REST. */
export const ofRows: readonly Interface[] = ['rows', 'pages', 'groups'];

/** The weight of each interface among the requests. */
const weights: Readonly<Record<Interface, number>> = {
  pages: 6,
  rows: 6,
  groups: 3,
  raw: 2,
  service: 2,
  graphql: 6,
  bands: 2,
  series: 2,
  computed: 2,
  files: 2,
  questions: 3,
  agents: 4,
};

const json = { 'Content-Type': 'application/json' };

export class Requests {
  readonly #guesses: Guesses;
  readonly #random: Random;
  readonly #pool: Pool;
  readonly #rows: RowRequests;
  readonly #groups: GroupRequests;
  readonly #agents: AgentRequests;
  readonly #documents: Documents;
  readonly #kinds: readonly Interface[];

  /** `only` limits the requests to some interfaces. */
  constructor(seed: number, pool: Pool, only: readonly Interface[] = interfaces) {
    this.#guesses = new Guesses(seed, pool);
    this.#random = this.#guesses.random;
    this.#pool = pool;
    this.#rows = new RowRequests(this.#guesses);
    this.#groups = new GroupRequests(this.#guesses);
    this.#agents = new AgentRequests(this.#guesses, { rows: this.#rows, groups: this.#groups });
    this.#documents = new Documents(this.#guesses);
    this.#kinds = only.flatMap((each) => Array.from({ length: weights[each] }, () => each));
  }

  next(): Question {
    const random = this.#random;
    const question = this.#ask(random.oneOf(this.#kinds));
    const { etags } = this.#pool;
    if (etags.length > 0 && random.chance(0.1) && question.method !== 'POST')
      return { ...question, headers: { ...question.headers, 'If-None-Match': random.oneOf(etags) } };
    return question;
  }

  #ask(kind: Interface): Question {
    switch (kind) {
      case 'pages':
        return this.#page();
      case 'rows':
        return this.#rows.next();
      case 'groups':
        return this.#grouped([]);
      case 'raw':
        return this.#raw();
      case 'service':
        return this.#service();
      case 'graphql':
        return this.#graphql();
      case 'files':
        return this.#file();
      case 'questions':
        return this.#question();
      case 'agents':
        return { method: 'POST', path: '/mcp', ...this.#agents.next() };
      default:
        return this.#analysis(kind);
    }
  }

  #value(table: string, column: string): unknown {
    return this.#guesses.value(table, column);
  }

  #query(parameters: readonly (readonly [string, unknown])[]): string {
    return parameters.length === 0 ? '' : `?${new URLSearchParams(parameters.map(([name, value]) => [name, String(value)]))}`;
  }

  #required(table: Table): Parameter[] {
    return this.#random.chance(0.95) ? table.requiredFilters.map((name) => [name, this.#value(table.name, name)]) : [];
  }

  #cursor(): Parameter[] {
    return this.#guesses.cursor();
  }

  #format(): Parameter[] {
    return this.#random.chance(0.15) ? [['format', 'csv']] : [];
  }

  #page(): Question {
    const random = this.#random;
    const table = random.oneOf(categoryTables);
    const filters = random.some(random.chance(0.5) ? table.filters : Object.keys(table.columns), 2);
    const parameters: Parameter[] = [
      ...this.#required(table),
      ...filters.map((name): Parameter => [name, this.#value(table.name, name)]),
      ...(random.chance(0.8) ? [['limit', random.oneOf([1, 2, 5, 20, 100, 1_500])] as Parameter] : []),
      ...(random.chance(0.3) ? [['offset', random.oneOf([0, 1, 7, 60, 510])] as Parameter] : []),
      ...this.#cursor(),
      ...this.#format(),
    ];
    const method = random.chance(0.1) ? 'HEAD' : 'GET';
    return { method, path: `${random.chance(0.1) ? '/v1' : ''}/${table.category}/${table.name}${this.#query(parameters)}` };
  }

  /** Groups over REST. */
  #grouped(features: readonly GroupFeature[]): Question {
    const { table, parameters } = this.#groups.next(features);
    return { method: 'GET', path: `/${table.category}/${table.name}/groups${this.#query([...parameters, ...this.#format()])}` };
  }

  /** Groups with bands, a series or computed values over REST, GraphQL or a tool; sometimes with several of them. */
  #analysis(feature: GroupFeature): Question {
    const random = this.#random;
    const features = [feature, ...(random.chance(0.3) ? [random.oneOf(groupFeatures)] : [])];
    const kind = random.below(5);
    if (kind < 2) return this.#grouped(features);
    if (kind < 4) return this.#posted(`{ ${this.#documents.groups(features)} }`);
    return { method: 'POST', path: '/mcp', ...this.#agents.groups(features) };
  }

  #raw(): Question {
    const random = this.#random;
    if (random.chance(0.3)) {
      const path = random.chance(0.5) ? `/raw/${random.oneOf(rawNames)}` : this.#tablePath();
      return {
        method: 'GET',
        path: `${path}/deltas${this.#query([['since_version', random.below(3)], ['limit', random.oneOf([1, 50, 2_000])], ...this.#cursor()])}`,
      };
    }
    const parameters: Parameter[] = [['limit', random.oneOf([1, 3, 40, 1_500])], ...this.#cursor(), ...this.#format()];
    return {
      method: random.chance(0.1) ? 'HEAD' : 'GET',
      path: `/raw/${random.oneOf([...rawNames, 'tables', 'nothing'])}${this.#query(parameters)}`,
    };
  }

  #tablePath(): string {
    const table = this.#random.oneOf(categoryTables);
    return `/${table.category}/${table.name}`;
  }

  #service(): Question {
    const random = this.#random;
    const table = random.oneOf(categoryTables);
    const path = random.oneOf([
      '/me',
      '/catalog',
      '/tables',
      '/changes?since=2020-01-01',
      '/raw/tables',
      `/meta/${table.name}/values/${random.oneOf(Object.keys(table.columns))}`,
      `/docs/tables/${table.name}`,
      ...(random.chance(0.1) ? ['/openapi.json', '/docs/raw', '/docs/tables'] : []),
    ]);
    return { method: 'GET', path };
  }

  /** The list of files, and files: whole, parts, and with the tag of others. */
  #file(): Question {
    const random = this.#random;
    const { files = [] } = this.#pool;
    if (files.length === 0 || random.chance(0.1)) return { method: 'GET', path: '/files', isBasic: random.chance(0.3) };
    const path = random.oneOf(files);
    const headers = random.chance(0.2) ? { Range: random.oneOf(['bytes=0-99', 'bytes=-200', 'bytes=50-', 'bytes=99999999-']) } : undefined;
    return {
      method: random.chance(0.1) ? 'HEAD' : 'GET',
      path: random.chance(0.2) ? path.replace(/\d+(?=\.[a-z.]+$)/, () => random.oneOf(['latest', '1', '999'])) : path,
      isBasic: random.chance(0.3),
      ...(headers && { headers }),
    };
  }

  /** Questions to save. Their variables are the size of the page, and a value of one column. */
  questions(count: number): readonly string[] {
    return Array.from({ length: count }, (_, index) => {
      if (index % 3 === 0) {
        const root = this.#documents.groups(this.#random.some(groupFeatures, 2));
        return `# Question ${index}\nquery ($first: Int = 10) { ${root.replace(/first: \d+/, 'first: $first')} }`;
      }
      const table = this.#random.oneOf(categoryTables);
      const [name, { kind }] = this.#random.oneOf(Object.entries(table.columns));
      return `# Question ${index}\nquery ($first: Int = 10, $value: ${kinds[kind].scalar}) { ${this.#documents.question(table, name)} }`;
    });
  }

  /** A saved question with variables, as JSON or CSV, or the list of questions. */
  #question(): Question {
    const random = this.#random;
    if (random.chance(0.05)) return { method: 'GET', path: '/questions' };
    const table = random.oneOf(categoryTables);
    const column = random.oneOf(Object.keys(table.columns));
    const parameters: Parameter[] = [
      ...(random.chance(0.5) ? [['first', random.oneOf([1, 3, 50])] as Parameter] : []),
      ...(random.chance(0.4) ? [['value', random.chance(0.5) ? random.below(2_000) : this.#value(table.name, column)] as Parameter] : []),
    ];
    const isCsv = random.chance(0.5);
    const name = random.chance(0.02) ? 'nothing' : questionName(random.below(questionCount));
    return {
      method: random.chance(0.05) ? 'HEAD' : 'GET',
      path: `/questions/${name}${this.#query([...parameters, ...(isCsv ? [['format', 'csv'] as Parameter] : [])])}`,
      isBasic: isCsv && random.chance(0.3),
      ...(!isCsv && random.chance(0.2) && { headers: { Accept: 'text/csv' } }),
    };
  }

  /** Documents to persist. Most take the size of their page as a variable. */
  documents(count: number): readonly string[] {
    return Array.from({ length: count }, () => {
      const root = this.#documents.root();
      const sized = root.replace(/first: \d+/, 'first: $first');
      return sized === root ? `query Persisted { ${root} }` : `query Persisted($first: Int!) { ${sized} }`;
    });
  }

  /** A persisted document by its hash, or a hash that no document has. */
  #persisted(documents: readonly string[]): Question {
    const random = this.#random;
    const text = random.chance(0.03) ? 'not persisted' : random.oneOf(documents);
    const extensions = { persistedQuery: { version: 1, sha256Hash: createHash('sha256').update(text).digest('hex') } };
    const variables = { first: random.oneOf([1, 3, 10, 50]) };
    if (random.chance(0.3)) {
      const parameters = { extensions: JSON.stringify(extensions), variables: JSON.stringify(variables) };
      return { method: 'GET', path: `/graphql?${new URLSearchParams(parameters)}`, headers: { Accept: 'application/json' } };
    }
    return { method: 'POST', path: '/graphql', body: JSON.stringify({ extensions, variables }), headers: json };
  }

  #posted(query: string): Question {
    return { method: 'POST', path: '/graphql', body: JSON.stringify({ query }), headers: json };
  }

  #graphql(): Question {
    const { documents = [] } = this.#pool;
    if (documents.length > 0 && this.#random.chance(0.25)) return this.#persisted(documents);
    const query = `{ ${this.#documents.root()} }`;
    if (this.#random.chance(0.05))
      return { method: 'GET', path: `/graphql?${new URLSearchParams({ query })}`, headers: { Accept: 'application/json' } };
    return this.#posted(query);
  }
}
