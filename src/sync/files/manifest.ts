/**
 * The manifest of a delivery (`estate sync --expect`): its files with their rows, sums and hashes, as the sender made it. It is verified
 * before anything is loaded (contract: manifest of a delivery).
 */
import { createHash } from 'node:crypto';
import { createReadStream, readFileSync } from 'node:fs';
import { z } from 'zod';
import { OperatorError } from '../../errors.ts';
import { fileRows } from './file-rows.ts';
import { Rejections } from './rejections.ts';
import type { SourceFile } from './source-files.ts';

const decimal = z.string().regex(/^-?\d+(\.\d+)?$/);

const manifest = z.strictObject({
  files: z
    .array(
      z.strictObject({
        name: z.string(),
        rows: z.int().min(0).optional(),
        /** The sums by column, as text, so that no digit is lost. */
        sums: z.record(z.string(), decimal).optional(),
        sha256: z
          .string()
          .regex(/^[0-9a-f]{64}$/)
          .optional(),
      }),
    )
    .min(1),
});

export type DeliveryManifest = z.infer<typeof manifest>;
type Expected = DeliveryManifest['files'][number];

/** A file of the delivery. Only files that are loaded without a source have rows. */
export interface DeliveredFile {
  readonly name: string;
  readonly path: string;
  readonly file?: SourceFile | undefined;
}

/** Reads a manifest. Throws an `OperatorError` that names its errors. */
export const readManifest = (path: string): DeliveryManifest => {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new OperatorError(
      `The manifest is no JSON file that can be read${error instanceof SyntaxError ? '' : ` (${(error as NodeJS.ErrnoException).code})`}.`,
    );
  }
  const parsed = manifest.safeParse(content);
  if (parsed.success) return parsed.data;
  throw new OperatorError(
    parsed.error.issues.map(({ path: place, message }) => `The manifest, ${place.join('.') || 'the whole'}: ${message}`).join('\n'),
  );
};

const hashOf = async (path: string): Promise<string> => {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
};

/** Exact sums of decimals: digits of all decimals as one integer. */
const places = 20;
const scaled = (text: string): bigint => {
  const [, sign, whole = '0', part = ''] = /^([+-]?)(\d+)(?:\.(\d*))?$/.exec(text) ?? [];
  if (sign === undefined || part.length > places) return 0n;
  const value = BigInt(whole + part.padEnd(places, '0'));
  return sign === '-' ? -value : value;
};

const inWords = (value: bigint): string => {
  const digits = String(value < 0n ? -value : value).padStart(places + 1, '0');
  const part = digits.slice(-places).replace(/0+$/, '');
  return `${value < 0n ? '-' : ''}${digits.slice(0, -places)}${part === '' ? '' : `.${part}`}`;
};

/** The differences between the rows of a file and the manifest. A value that is no number counts as 0; the load refuses it. */
const rowDifferences = async (file: SourceFile, { name, rows, sums = {} }: Expected): Promise<string[]> => {
  const source = fileRows(file);
  const columns = await source.readColumns();
  const missing = Object.keys(sums).filter((column) => !columns.includes(column));
  const totals = new Map(Object.keys(sums).map((column) => [columns.indexOf(column), 0n]));
  let count = 0;
  for await (const batch of source.read(new Rejections('each'))) {
    count += batch.length;
    for (const { values } of batch) for (const [at, total] of totals) totals.set(at, total + scaled(values[at] ?? '0'));
  }
  return [
    ...(rows !== undefined && rows !== count ? [`${name}: ${count} rows, and the manifest has ${rows}`] : []),
    ...missing.map((column) => `${name}: no column ${column}, of which the manifest has the sum`),
    ...Object.entries(sums).flatMap(([column, expected]) => {
      const total = totals.get(columns.indexOf(column));
      const isEqual = missing.includes(column) || total === scaled(expected);
      return isEqual ? [] : [`${name}: the sum of ${column} is ${inWords(total!)}, and the manifest has ${expected}`];
    }),
  ];
};

const differences = async (delivered: DeliveredFile | undefined, expected: Expected): Promise<string[]> => {
  const { name, rows, sums, sha256 } = expected;
  if (!delivered) return [`${name}: the delivery lacks it`];
  const found: string[] = [];
  if (sha256 !== undefined && (await hashOf(delivered.path)) !== sha256) found.push(`${name}: its SHA-256 is not that of the manifest`);
  if (rows === undefined && sums === undefined) return found;
  if (!delivered.file) return [...found, `${name}: rows and sums are verified only without --source; use sha256`];
  return [...found, ...(await rowDifferences(delivered.file, expected))];
};

/** Compares a delivery with its manifest. Throws an `OperatorError` that names every difference. */
export const verifyManifest = async (delivered: readonly DeliveredFile[], { files }: DeliveryManifest): Promise<void> => {
  const byName = new Map(delivered.map((file) => [file.name, file]));
  const found: string[] = [];
  for (const expected of files) found.push(...(await differences(byName.get(expected.name), expected)));
  for (const { name } of delivered) if (!files.some((file) => file.name === name)) found.push(`${name}: the manifest does not name it`);
  if (found.length > 0) throw new OperatorError(`The delivery is not that of the manifest.\n${found.join('\n')}`);
};
