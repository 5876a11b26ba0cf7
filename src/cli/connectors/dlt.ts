/** A pipeline of dlt over its `rest_api` source. Pages follow the `Link` header. */
import type { Catalogue } from '../../catalogue/index.ts';
import { pageSize, type Stream, streamsOf } from './streams.ts';

const resourceOf = ({ name, path, key, rowsIn }: Stream) => ({
  name,
  primary_key: key,
  write_disposition: 'replace',
  endpoint: { path, params: { limit: pageSize }, ...(rowsIn !== undefined && { data_selector: rowsIn }) },
});

/** The configuration without the key. JSON of texts and numbers is Python, too. */
export const dltConfiguration = (catalogue: Catalogue, address: string) => ({
  client: {
    base_url: `${address}/`,
    auth: { type: 'api_key', name: 'X-API-Key', location: 'header' },
    paginator: { type: 'header_link' },
  },
  resources: streamsOf(catalogue).map(resourceOf),
});

/** A Python program. The key is the secret `estate_key`. */
export const dltPipeline = (
  catalogue: Catalogue,
  address: string,
): string => `"""Copies all tables of the data service. The key is estate_key in .dlt/secrets.toml."""

import dlt
from dlt.sources.rest_api import rest_api_source

config = ${JSON.stringify(dltConfiguration(catalogue, address), null, 4)}
config["client"]["auth"]["api_key"] = dlt.secrets["estate_key"]

if __name__ == "__main__":
    pipeline = dlt.pipeline(pipeline_name="estate", destination="duckdb", dataset_name="estate")
    print(pipeline.run(rest_api_source(config, name="estate")))
`;
