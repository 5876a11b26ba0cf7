/** A manifest is verified before anything is loaded (contract: manifest of a delivery). */
import { createHash } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { readManifest, verifyManifest } from '../../src/sync/files/manifest.ts';
import { findSourceFiles } from '../../src/sync/files/source-files.ts';
import { Deliveries } from '../sync/support.ts';

const deliveries = new Deliveries();
afterAll(() => deliveries.remove());

const content = 'id,amount\r\n1,0.10\r\n2,"0.20"\r\n3,\r\n4,-1234567890123456.05\r\n';
const sha256 = createHash('sha256').update(content).digest('hex');
const [file] = findSourceFiles([deliveries.write('booking_pos.csv', content)], 'rows');
const delivered = [{ name: file!.name, path: file!.path, file }];
const verify = (entry: object, files = delivered) => {
  const path = deliveries.write('manifest.json', JSON.stringify({ files: [{ name: 'booking_pos.csv', ...entry }] }));
  return verifyManifest(files, readManifest(path));
};

test('a delivery that equals its manifest is accepted', async () => {
  await verify({ rows: 4, sums: { amount: '-1234567890123455.75', id: '10' }, sha256 });
  await verify({});
});

test.each<[object, string]>([
  [{ rows: 5 }, 'booking_pos.csv: 4 rows, and the manifest has 5'],
  [{ sums: { amount: '-1234567890123455.76' } }, 'the sum of amount is -1234567890123455.75, and the manifest has -1234567890123455.76'],
  [{ sums: { net: '1' } }, 'no column net, of which the manifest has the sum'],
  [{ sha256: '0'.repeat(64) }, 'its SHA-256 is not that of the manifest'],
  [{ name: 'other.csv' }, 'other.csv: the delivery lacks it\nbooking_pos.csv: the manifest does not name it'],
])('%j is refused', async (entry, words) => {
  await expect(verify(entry)).rejects.toThrow(words);
});

test('rows of an export are not verified', async () => {
  await expect(verify({ rows: 4 }, [{ name: file!.name, path: file!.path, file: undefined }])).rejects.toThrow('only without --source');
});

test.each([
  ['no JSON', 'x', 'The manifest is no JSON file'],
  ['another form', '{"files": [{"name": 1}]}', 'The manifest, files.0.name'],
])('a manifest of %s is refused', (_what, text, words) => {
  expect(() => readManifest(deliveries.write('manifest.json', text))).toThrow(words);
});
