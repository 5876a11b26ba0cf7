/** A configuration of the Singer tap `tap-rest-api-msdk`. Pages follow the `Link` header. */
import type { Catalogue } from '../../catalogue/index.ts';
import { pageSize, type Stream, streamsOf } from './streams.ts';

const streamOf = ({ name, path, key, schema }: Stream) => ({
  name,
  path: `/${path}`,
  params: { limit: pageSize },
  records_path: '$[*]',
  primary_keys: [key],
  schema,
});

/** The tap follows links of lists only, so tables that are copied as raw tables are left out. */
export const singerConfiguration = (catalogue: Catalogue, address: string) => ({
  api_url: address,
  headers: { 'X-API-Key': 'est_YOUR_KEY' },
  pagination_request_style: 'restapi_header_link_paginator',
  pagination_response_style: 'header_link',
  pagination_page_size: pageSize,
  streams: streamsOf(catalogue)
    .filter(({ rowsIn }) => rowsIn === undefined)
    .map(streamOf),
});
