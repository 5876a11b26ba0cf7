/** Random calls of tools over `POST /mcp`, in both revisions of the protocol. */
import { plainAggregates as aggregates } from '../../src/plan/vocabulary/values.ts';
import { type GroupFeature, type GroupRequests, groupFeatures } from './group-requests.ts';
import { categoryTables, type Guesses, type Parameter } from './guesses.ts';
import type { RowRequests } from './row-requests.ts';

interface Message {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

type Arguments = Record<string, unknown>;

const newest = '2026-07-28';
const older = '2025-11-25';
const lists: readonly string[] = ['by', ...aggregates, 'measure', 'value', 'where', 'having', 'order', 'columns'];

/** The arguments of a tool with the meaning of REST parameters. */
const argumentsOf = (table: string, parameters: readonly Parameter[]): Arguments => {
  const given: Arguments = { table };
  const filters: Arguments = {};
  for (const [name, value] of parameters) {
    if (lists.includes(name)) given[name] = [...((given[name] as string[] | undefined) ?? []), String(value)];
    else if (name === 'count') given.count = true;
    else if (['limit', 'offset', 'cursor'].includes(name)) given[name] = value;
    // Tools have neither empty buckets nor formats.
    else if (name !== 'fill') filters[name] = value;
  }
  return Object.keys(filters).length > 0 ? { ...given, filters } : given;
};

const message = (method: string, params: object, version: string): Message => {
  const { name } = params as { name?: string };
  const about = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientInfo': { name: 'attacker', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const isNewest = version === newest;
  return {
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: isNewest ? { ...params, _meta: about } : params }),
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'Mcp-Protocol-Version': version,
      ...(isNewest && { 'Mcp-Method': method, ...(name && { 'Mcp-Name': name }) }),
    },
  };
};

export class AgentRequests {
  readonly #guesses: Guesses;
  readonly #listed: RowRequests;
  readonly #groups: GroupRequests;

  constructor(guesses: Guesses, { rows, groups }: { readonly rows: RowRequests; readonly groups: GroupRequests }) {
    this.#guesses = guesses;
    this.#listed = rows;
    this.#groups = groups;
  }

  #call(name: string, given: Arguments): Message {
    return message('tools/call', { name, arguments: given }, this.#guesses.random.chance(0.8) ? newest : older);
  }

  #rows(): Message {
    const guesses = this.#guesses;
    const { random } = guesses;
    const table = random.oneOf(categoryTables);
    const columns = Object.keys(table.columns);
    const filters = [
      ...(random.chance(0.95) ? table.requiredFilters : []),
      ...random.some(random.chance(0.9) ? table.filters : columns, 2),
    ];
    const parameters: readonly Parameter[] = [
      ...filters.map((name): Parameter => [name, guesses.value(table.name, name)]),
      ...(random.chance(0.6) ? this.#listed.lists(table) : []),
      ['limit', random.oneOf([1, 2, 20, 200])],
      ...(random.chance(0.2) ? [['offset', random.oneOf([1, 7, 600])] as Parameter] : []),
      ...guesses.cursor(),
    ];
    return this.#call('query_rows', argumentsOf(table.name, parameters));
  }

  /** A call of `query_groups`. */
  groups(features: readonly GroupFeature[]): Message {
    const { table, parameters } = this.#groups.next(features);
    return this.#call('query_groups', argumentsOf(table.name, parameters));
  }

  next(): Message {
    const { random } = this.#guesses;
    const table = random.oneOf(categoryTables).name;
    switch (random.below(12)) {
      case 0:
        return this.#call('list_tables', {});
      case 1:
        return this.#call('describe_table', { table });
      case 2:
      case 3:
        return this.#call('get_changes', {
          ...argumentsOf(table, [['limit', random.oneOf([1, 50, 200])], ...this.#guesses.cursor()]),
          since_version: random.below(3),
        });
      case 4:
        return random.chance(0.5) ? message('tools/list', {}, newest) : message('server/discover', {}, newest);
      case 5:
      case 6:
      case 7:
      case 8:
        return this.groups(random.some(groupFeatures, 2));
      default:
        return this.#rows();
    }
  }
}
