/** `estate print …`: what the catalogue says, for other programs. */
import { catalogue } from '../../catalogue/index.ts';
import { type Customer, findCustomer } from '../../database/control/customers.ts';
import { printSchema } from '../../database/ddl.ts';
import { duckdbScript } from '../../files/duckdb-script.ts';
import { describeInterface } from '../../rest/openapi.ts';
import { projectFile } from '../../web/pages/static-files.ts';
import { dataContract } from '../connectors/contract.ts';
import { dictionaryText } from '../connectors/dictionary.ts';
import { dltPipeline } from '../connectors/dlt.ts';
import { withSession } from '../session.ts';

export const printDdl = () => {
  process.stdout.write(printSchema(catalogue, 'customer_example'));
};

export const printOpenapi = () => {
  process.stdout.write(`${JSON.stringify(describeInterface(catalogue), null, 2)}\n`);
};

export const printDlt = ({ url }: { url: string }) => {
  process.stdout.write(dltPipeline(catalogue, url));
};

export const printDuckdb = ({ url }: { url: string }) => {
  process.stdout.write(duckdbScript(catalogue.tables.values(), url));
};

export const printDictionary = () => {
  process.stdout.write(dictionaryText());
};

interface ContractFlags {
  readonly url: string;
  readonly customer?: string;
}

/** The contract of all tables, or of the tables of a customer. */
export const printContract = async ({ url, customer: slug }: ContractFlags): Promise<void> => {
  const { version } = JSON.parse(projectFile('package.json')) as { version: string };
  const print = (customer?: Customer) => {
    process.stdout.write(dataContract({ catalogue, url, version, customer }));
  };
  if (slug === undefined) print();
  else await withSession(async ({ database }) => print(await findCustomer(database, slug)));
};
