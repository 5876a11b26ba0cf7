/** An attack by files: a client requests the files of all tables in all formats, one after the other, and reads those that are built. */
import { catalogue } from '../../src/catalogue/index.ts';
import { rawTables } from '../../src/catalogue/raw/index.ts';
import { fileFormats, filesPathOf } from '../../src/files/formats.ts';
import type { Attack, Target } from './attack.ts';

const tables = [
  ...[...catalogue.tables.keys()].map((name) => filesPathOf('category', name)),
  ...Object.keys(rawTables).map((name) => filesPathOf('raw', name)),
];
const paths = tables.flatMap((path) => fileFormats.map((format) => `${path}/latest.${format}`));

/** A round of the next client. The address of the current version is found by a redirect. */
const nextFile = (): ((target: Target) => Promise<string>) => {
  let turn = 0;
  return async ({ host, port, key }) => {
    const path = paths[turn++ % paths.length];
    const response = await fetch(`http://${host}:${port}${path}`, { headers: { 'X-API-Key': key } });
    for await (const _ of response.body ?? []);
    return String(response.status);
  };
};

export const fileAttacks: readonly Attack[] = [{ name: 'file builds in a loop', path: '/files', round: nextFile() }];
