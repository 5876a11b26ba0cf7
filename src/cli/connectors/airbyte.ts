/** A low-code manifest of Airbyte. JSON is YAML, too. Pages follow the `Link` header. */
import type { Catalogue } from '../../catalogue/index.ts';
import { pageSize, type Stream, streamsOf } from './streams.ts';

/** The version of Airbyte's development kit against whose schema the manifest was validated. */
const kitVersion = '7.28.2';

const streamOf = ({ name, path, key, rowsIn, schema }: Stream, address: string) => ({
  type: 'DeclarativeStream',
  name,
  primary_key: [key],
  retriever: {
    type: 'SimpleRetriever',
    requester: {
      type: 'HttpRequester',
      url_base: address,
      path: `/${path}`,
      http_method: 'GET',
      request_parameters: { limit: String(pageSize) },
      authenticator: {
        type: 'ApiKeyAuthenticator',
        api_token: "{{ config['api_key'] }}",
        inject_into: { type: 'RequestOption', inject_into: 'header', field_name: 'X-API-Key' },
      },
    },
    record_selector: { type: 'RecordSelector', extractor: { type: 'DpathExtractor', field_path: rowsIn === undefined ? [] : [rowsIn] } },
    paginator: {
      type: 'DefaultPaginator',
      page_token_option: { type: 'RequestPath' },
      pagination_strategy: {
        type: 'CursorPagination',
        // The link is a path of the host.
        cursor_value: `${new URL(address).origin}{{ headers['link']['next']['url'] }}`,
        stop_condition: "{{ 'next' not in headers['link'] }}",
      },
    },
  },
  schema_loader: { type: 'InlineSchemaLoader', schema },
});

export const airbyteManifest = (catalogue: Catalogue, address: string) => {
  const streams = streamsOf(catalogue);
  return {
    version: kitVersion,
    type: 'DeclarativeSource',
    check: { type: 'CheckStream', stream_names: [streams[0]!.name] },
    streams: streams.map((stream) => streamOf(stream, address)),
    spec: {
      type: 'Spec',
      connection_specification: {
        type: 'object',
        required: ['api_key'],
        properties: { api_key: { type: 'string', title: 'API key', airbyte_secret: true, order: 0 } },
      },
    },
  };
};
