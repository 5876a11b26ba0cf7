/** `/mcp`, described; its messages are those of the Model Context Protocol (contract: tools for agents). */
import { type DocumentPart, ref } from '../document.ts';
import { headersOf } from '../headers.ts';
import { operation } from '../operation.ts';

export const agentsTag = { name: 'agents', description: 'Tools for agents, over the Model Context Protocol.' };

export const agentsPart: DocumentPart = {
  paths: {
    '/mcp': {
      post: operation({
        tag: agentsTag.name,
        operationId: 'postMcp',
        summary: 'The answer to a message of an agent',
        description:
          'One JSON-RPC message of the Model Context Protocol. The tools are `list_tables`, `describe_table`, `query_rows`, `query_groups` and `get_changes`; `tools/list` gives their schemas.',
        requestBody: { required: true, content: { 'application/json': { schema: ref('schemas', 'McpMessage') } } },
        ok: {
          description: 'The result, or an error of the protocol. A failed call is a result with `isError`.',
          headers: headersOf(),
          content: {
            'application/json': { schema: ref('schemas', 'McpMessage') },
            'text/event-stream': { schema: { type: 'string', description: 'the same as one event, for older clients' } },
          },
        },
        problems: { 400: 'Malformed', 503: 'Busy' },
      }),
    },
  },
  components: {
    schemas: {
      McpMessage: {
        type: 'object',
        required: ['jsonrpc'],
        properties: {
          jsonrpc: { type: 'string', enum: ['2.0'] },
          id: { type: ['string', 'integer'], description: 'of the request; absent for notifications' },
          method: { type: 'string', description: 'such as `tools/call`' },
          params: { type: 'object', additionalProperties: true },
          result: { type: 'object', additionalProperties: true },
          error: { type: 'object', additionalProperties: true },
        },
      },
    },
  },
};
