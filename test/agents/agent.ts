/** The official client of the Model Context Protocol over real HTTP. */
import { Client, StreamableHTTPClientTransport, type VersionNegotiationMode } from '@modelcontextprotocol/client';
import { KeyStore } from '../../src/access/keys.ts';
import { parseScope } from '../../src/access/scope.ts';
import type { ScopeDefinition } from '../../src/catalogue/data-scope.ts';
import type { EndpointGroup, Tier } from '../../src/catalogue/tiers.ts';
import { findCustomer } from '../../src/database/control/customers.ts';
import type { TestService } from '../support/service.ts';
import { testSecret } from '../support/settings.ts';

interface Rights {
  readonly tier?: Tier;
  readonly groups?: readonly EndpointGroup[];
  readonly scope?: ScopeDefinition;
}

/** A new key of the customer `nord`, for agents alone unless other groups are named. */
export const agentKey = async (
  { database }: TestService,
  { tier = 'enterprise', groups = ['agents'], scope }: Rights = {},
): Promise<string> => {
  const customer = await findCustomer(database, 'nord');
  const parsed = scope ? parseScope(JSON.stringify(scope)) : null;
  return (await new KeyStore(database, testSecret).create({ customer, tier, groups, scope: parsed })).key;
};

/** A result: the note of the service, the data, and whether the call failed. */
export interface Called {
  readonly isError: boolean;
  readonly note: string;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: data has any shape
  readonly data: any;
  readonly meta: Readonly<Record<string, unknown>> | undefined;
  /** The mark of the block with the data. */
  readonly mark: Readonly<Record<string, unknown>> | undefined;
}

export interface Agent {
  readonly client: Client;
  readonly call: (name: string, given?: Record<string, unknown>) => Promise<Called>;
  readonly close: () => Promise<void>;
}

/** The protocol revision of clients since 2026, and the handshake of older ones. */
export const newest = { pin: '2026-07-28' } as const;

export const connect = async ({ url }: TestService, key: string, mode: VersionNegotiationMode = newest): Promise<Agent> => {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers: { 'X-API-Key': key } } }));
  return {
    client,
    call: async (name, given = {}) => {
      const { content, isError = false, _meta } = await client.callTool({ name, arguments: given });
      const blocks = content.map((block) => ({ text: block.type === 'text' ? block.text : '', mark: block._meta }));
      const text = blocks.at(-1)!.text;
      return { isError, note: blocks[0]!.text, text, data: isError ? undefined : JSON.parse(text), meta: _meta, mark: blocks.at(-1)!.mark };
    },
    close: () => client.close(),
  };
};
