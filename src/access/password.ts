/**
 * Passwords of operators. Only salted scrypt hashes are stored.
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

/** Characters of the shortest password. */
export const minPassword = 12;

const length = 32;
const cost = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };
const derive = promisify<string, Buffer, number, typeof cost, Buffer>(scrypt);

const hashWith = (password: string, salt: Buffer): PasswordHash => ({ salt, hash: scryptSync(password, salt, length, cost) });

export const hashPassword = (password: string, secret: string): PasswordHash =>
  hashWith(password, createHmac('sha256', secret).update('portal password').digest());

/** Contains the cost, so that hashes of different costs differ. */
const label = 'scrypt15';
const writtenHash = new RegExp(`^${label}\\.([\\w-]{22})\\.([\\w-]{43})$`);

/** The hash of a named operator's password as `PORTAL_OPERATORS` takes it: nothing in it means anything to a shell. */
export const writeHash = (password: string): string => {
  const { salt, hash } = hashWith(password, randomBytes(16));
  return [label, salt.toString('base64url'), hash.toString('base64url')].join('.');
};

/** Reads what `writeHash` wrote; undefined for anything else. */
export const readHash = (text: string): PasswordHash | undefined => {
  const [, salt, hash] = writtenHash.exec(text) ?? [];
  return salt && hash ? { salt: Buffer.from(salt, 'base64url'), hash: Buffer.from(hash, 'base64url') } : undefined;
};

/** Names as the session's cookie can hold them; the log has its own use for `visitor`. */
export const isOperatorName = (text: string): boolean => /^[a-z0-9][a-z0-9._@-]{0,59}$/.test(text) && text !== 'visitor';

/** The password hashes of operators by name. The empty name has the shared password. */
export type Operators = ReadonlyMap<string, PasswordHash>;

/** The hash for names that do not exist. The check takes as long as for other names, so its time does not show which names exist. */
const nobodys: PasswordHash = { salt: randomBytes(16), hash: randomBytes(length) };

/** Whether the password is that of the operator; false if there is none of that name. It takes a processor for about a tenth of a second. */
export const checkPassword = (operators: Operators, name: string, password: string): Promise<boolean> =>
  isPassword(password, operators.get(name) ?? nobodys);

const isPassword = async (text: string, { salt, hash }: PasswordHash): Promise<boolean> =>
  timingSafeEqual(await derive(text, salt, length, cost), hash);

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
