/** An attack by files: a client requests the files of all tables in all formats, one after the other, and reads those that are built. */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { catalogue } from '../../src/catalogue/index.ts';
import { rawTables } from '../../src/catalogue/raw/index.ts';
import { fileFormats, filesPathOf } from '../../src/files/formats.ts';
import { type Attack, localAddress, type Target } from './attack.ts';

const tables = [
  ...[...catalogue.tables.keys()].map((name) => filesPathOf('category', name)),
  ...Object.keys(rawTables).map((name) => filesPathOf('raw', name)),
];
const paths = tables.flatMap((path) => fileFormats.map((format) => `${path}/latest.${format}`));

const get = async (url: string, key: string): Promise<IncomingMessage> => {
  const call = request(url, { headers: { 'X-API-Key': key }, localAddress }).end();
  const [response] = (await once(call, 'response')) as [IncomingMessage];
  for await (const _ of response);
  return response;
};

/** A round of the next client. */
const nextFile = (): ((target: Target) => Promise<string>) => {
  let turn = 0;
  return async ({ host, port, key }) => {
    const path = paths[turn++ % paths.length];
    const answer = await get(`http://${host}:${port}${path}`, key);
    // The current version is found by a redirect.
    const { location } = answer.headers;
    return String((location ? await get(new URL(location, `http://${host}:${port}`).href, key) : answer).statusCode);
  };
};

export const fileAttacks: readonly Attack[] = [{ name: 'file builds in a loop', path: '/files', round: nextFile() }];
