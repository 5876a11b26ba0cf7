/** `estate migrate` and `estate print …` */
import { catalogue } from '../catalogue/index.ts';
import { readConfig } from '../config.ts';
import { migrate } from '../database/control.ts';
import { printSchema } from '../database/ddl.ts';
import { describeInterface } from '../rest/openapi.ts';
import { openDatabase } from '../service.ts';
import { report } from './session.ts';

export const migrateDatabase = async (options: { json?: boolean }) => {
  const database = await openDatabase(readConfig());
  try {
    const applied = await migrate(database.control);
    report({ applied }, options, () => (applied.length > 0 ? `Applied ${applied.join(', ')}.` : 'Nothing to do.'));
  } finally {
    await database.close();
  }
};

export const printDdl = () => {
  process.stdout.write(printSchema(catalogue, 'customer_example'));
};

export const printOpenapi = () => {
  process.stdout.write(`${JSON.stringify(describeInterface(catalogue), null, 2)}\n`);
};
