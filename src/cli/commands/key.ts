/** `estate key …` */
import { readFileSync } from 'node:fs';
import { keyStateOf } from '../../access/key-lookup.ts';
import { type IssuedKey, type KeyRecord, KeyStore } from '../../access/keys.ts';
import { parseScope, scopeInWords } from '../../access/scope.ts';
import type { ScopeDefinition } from '../../catalogue/data-scope.ts';
import type { KeyGroup, Tier } from '../../catalogue/tiers.ts';
import { findCustomer } from '../../database/control/customers.ts';
import { OperatorError } from '../../errors.ts';
import { columns, report, withSession } from '../session.ts';

interface Options {
  readonly json?: boolean;
}
interface CreateOptions extends Options {
  readonly customer: string;
  readonly tier: Tier;
  readonly groups?: readonly KeyGroup[];
  readonly name?: string;
  readonly expires?: Date;
  readonly scopeFile?: string;
}

const onceWords = ({ key, id, scope }: IssuedKey) =>
  `Key ${id}${scope ? `, limited (${scopeInWords(scope)})` : ''}, shown this once:\n${key}`;

/** The data scope in a file. Throws an `OperatorError` if the file cannot be read or is not a scope. */
const readScopeFile = (path: string): ScopeDefinition | null => {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new OperatorError(`The scope file cannot be read: ${(error as Error).message}`);
  }
  return parseScope(text);
};

export const createKey = (options: CreateOptions) =>
  withSession(async ({ database, secret }) => {
    const { tier, groups, name, expires, scopeFile } = options;
    const scope = scopeFile === undefined ? null : readScopeFile(scopeFile);
    const customer = await findCustomer(database, options.customer);
    const issued = await new KeyStore(database, secret).create({
      customer,
      tier,
      scope,
      ...(groups && { groups }),
      ...(name !== undefined && { name }),
      ...(expires && { expiresAt: expires }),
    });
    report(issued, options, () => onceWords(issued));
  });

export const listKeys = (options: Options & { customer?: string }) =>
  withSession(async ({ database, secret }) => {
    if (options.customer !== undefined) await findCustomer(database, options.customer);
    const keys = await new KeyStore(database, secret).list(options.customer);
    const rows = keys.map((key) => [
      key.id,
      key.customer,
      key.tier,
      key.groups.join(','),
      keyStateOf(key),
      key.created_at.toISOString(),
      key.expires_at?.toISOString() ?? '',
      scopeInWords(key.scope),
      key.name,
    ]);
    report(keys, options, () => columns(['id', 'customer', 'tier', 'groups', 'state', 'created', 'expires', 'scope', 'name'], rows));
  });

export const rotateKey = (id: string, options: Options & { overlap: number; scopeFile?: string }) =>
  withSession(async ({ database, secret }) => {
    const { overlap, scopeFile } = options;
    const change = scopeFile === undefined ? undefined : { scope: readScopeFile(scopeFile) };
    const issued = await new KeyStore(database, secret).rotate(id, overlap, undefined, change);
    report(issued, options, () => onceWords(issued));
  });

/** Changes a key and reports it. */
const changed = (options: Options, words: string, change: (keys: KeyStore) => Promise<KeyRecord>) =>
  withSession(async ({ database, secret }) => {
    const key = await change(new KeyStore(database, secret));
    report(key, options, () => `Key ${key.id} ${words}`);
  });

export const revokeKey = (id: string, options: Options) =>
  changed(options, 'is revoked; within 5 s no instance takes it any more.', (keys) => keys.revoke(id));

/** Throws an `OperatorError` if the key is revoked, because revocation is final. */
const notRevoked = (key: KeyRecord): KeyRecord => {
  if (key.revoked_at) throw new OperatorError(`Key '${key.id}' is revoked; create a new one instead.`);
  return key;
};

export const disableKey = (id: string, options: Options) =>
  changed(options, 'is disabled; within 5 s no instance takes it any more.', async (keys) => notRevoked(await keys.disable(id)));

export const enableKey = (id: string, options: Options) =>
  changed(options, 'is enabled again.', async (keys) => notRevoked(await keys.enable(id)));
