/** Deliveries in the portal that are made to take time or memory. Their reader is another process, so the service itself does little. */
import { gzipSync } from 'node:zlib';
import { Operator } from '../../test/portal/operator.ts';
import type { Attack } from './attack.ts';

const megabyte = 1_000_000;

interface Delivery {
  readonly file: string;
  readonly content: () => string | Buffer;
  readonly source: string;
}

const creditors = (path: string, website: string, more = ''): string =>
  `name: attack\ntables:\n  - table: creditor_hdr\n    mode: upsert\n    path: ${path}\n    primaryKey: Nr\n${more}    columns: { website: ${website} }\n`;

const fieldsOf = (count: number, field: string): string => `Nr,Name\n${`1,${field}\n`.repeat(count)}`;

const deliveries: Readonly<Record<string, Delivery>> = {
  'a glob of 240 stars': {
    file: `${'a'.repeat(190)}.csv`,
    content: () => fieldsOf(1, 'x'),
    source: creditors(`"${'*a'.repeat(240)}*b"`, 'Name'),
  },
  'fields of 300 blanks as addresses': {
    file: 'a.csv',
    content: () => fieldsOf(150_000, `"a${' '.repeat(298)}!"`),
    source: creditors('a.csv', '{ from: Name, part: street }', '    formats: { trim: false }\n'),
  },
  'one field of 8 MB of zeros': {
    file: 'a.csv',
    content: () => fieldsOf(1, `0.${'0'.repeat(7 * megabyte)}1`),
    source: creditors('a.csv', '{ from: Name, apply: [{ multiply: 3 }] }'),
  },
  'a source file of 12,000 keys': {
    file: 'a.csv',
    content: () => fieldsOf(1, 'x'),
    source: Array.from({ length: 12_000 }, (_, index) => `key_number_${index}: 1`).join('\n'),
  },
  'a list of JSON that grows to 250 MB': {
    file: 'a.json.gz',
    content: () => gzipSync(`[${'{"Nr":1,"Name":"x"},'.repeat(12 * megabyte)}{}]`),
    source: creditors('a.json.gz', 'Name'),
  },
  'a line of 60 MB': {
    file: 'a.ndjson',
    content: () => `{"Nr":1,"Name":"${'x'.repeat(60 * megabyte)}"}\n`,
    source: creditors('a.ndjson', 'Name'),
  },
};

const page = '/portal/customers/bench/data';
let signedIn: Promise<Operator> | undefined;

/** Sends a delivery to check, and waits for the end of the check as a browser does. The outcome is that of the form, or the refusal. */
const send = async (url: string, { file, content, source }: Delivery): Promise<string> => {
  signedIn ??= new Operator({ url }).signIn();
  const operator = await signedIn;
  const form = new FormData();
  form.append('token', (await operator.hidden(page)).token ?? '');
  form.append('source', new Blob([source]), 'attack.yml');
  form.append('files', new Blob([content() as string]), file);
  form.append('action', 'check');
  const { status, location } = await operator.get(page, { method: 'POST', body: form });
  if (status !== 303 || location === null) return String(status);
  for (;;) {
    const { headers, text } = await operator.get(new URL(location, url).pathname);
    if (headers.get('refresh') === null) return /<pre>([^<]{0,70})/.exec(text)?.[1]?.replaceAll(/\s+/g, ' ') ?? 'checked';
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
};

/** They need the password of the portal in `test/portal/operator.ts`. */
export const uploadAttacks: readonly Attack[] = Object.entries(deliveries).map(([name, delivery]) => ({
  name: `upload: ${name}`,
  path: page,
  atOnce: 3,
  round: ({ host, port }) => send(`http://${host}:${port}`, delivery),
}));
