/**
 * The operator's password: kept as a salted scrypt hash only.
 *
 * A configured password has a salt derived from the service's secret, so that all instances have the same hash, and with it
 * the same signatures of session cookies. A new password ends all sessions.
 */
import { createHmac, randomBytes, scrypt, scryptSync, timingSafeEqual } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

export interface PasswordHash {
  readonly salt: Buffer;
  readonly hash: Buffer;
}

const length = 32;
const cost = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };
const derive = promisify<string, Buffer, number, typeof cost, Buffer>(scrypt);

const hashWith = (password: string, salt: Buffer): PasswordHash => ({ salt, hash: scryptSync(password, salt, length, cost) });

export const hashPassword = (password: string, secret: string): PasswordHash =>
  hashWith(password, createHmac('sha256', secret).update('portal password').digest());

let turn: Promise<unknown> = Promise.resolve();

/** One guess is checked at a time, so that many at once take no more than one processor. */
export const isPassword = (text: string, { salt, hash }: PasswordHash): Promise<boolean> => {
  const check = turn.then(async () => timingSafeEqual(await derive(text, salt, length, cost), hash));
  turn = check.catch(() => {});
  return check;
};

/** The embedded database's password; `fresh` is its text when this call has made it. */
export interface LocalPassword extends PasswordHash {
  readonly fresh?: string;
}

/** Makes a password at the first start and keeps its hash in `folder`; without the file the next start makes another. */
export const localPassword = (folder: string): LocalPassword => {
  const file = join(folder, 'portal-password');
  if (existsSync(file)) {
    const [salt = '', hash = ''] = readFileSync(file, 'utf8').split(' ');
    return { salt: Buffer.from(salt, 'hex'), hash: Buffer.from(hash, 'hex') };
  }
  const fresh = randomBytes(12).toString('base64url');
  const made = hashWith(fresh, randomBytes(16));
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, `${made.salt.toString('hex')} ${made.hash.toString('hex')}`, { mode: 0o600 });
  return { ...made, fresh };
};
