/** `estate print …`: what the catalogue says, for other programs. */
import { catalogue } from '../../catalogue/index.ts';
import { printSchema } from '../../database/ddl.ts';
import { duckdbScript } from '../../files/duckdb-script.ts';
import { describeInterface } from '../../rest/openapi.ts';
import { airbyteManifest } from '../connectors/airbyte.ts';
import { dltPipeline } from '../connectors/dlt.ts';
import { singerConfiguration } from '../connectors/singer.ts';

const printJson = (document: unknown) => {
  process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
};

export const printDdl = () => {
  process.stdout.write(printSchema(catalogue, 'customer_example'));
};

export const printOpenapi = () => printJson(describeInterface(catalogue));

export const printDlt = ({ url }: { url: string }) => {
  process.stdout.write(dltPipeline(catalogue, url));
};

export const printAirbyte = ({ url }: { url: string }) => printJson(airbyteManifest(catalogue, url));

export const printDuckdb = ({ url }: { url: string }) => {
  process.stdout.write(duckdbScript(catalogue.tables.values(), url));
};

export const printSinger = ({ url }: { url: string }) => printJson(singerConfiguration(catalogue, url));
