/**
 * The text of API keys: `est_<public id>_<secret>` (semantics 8).
 *
 * The plaintext is shown once. What is stored is the public id and an HMAC-SHA-256 of the whole key under the service's
 * secret, so neither the database nor a backup of it lets anyone in.
 */
import { createHmac, randomBytes } from 'node:crypto';

const keyPattern = /^est_([a-z0-9]{1,40})_([A-Za-z0-9]{1,64})$/;

/** The public id inside a key; undefined for anything that does not look like one. */
export const publicId = (key: string): string | undefined => keyPattern.exec(key)?.[1];

export const hashKey = (secret: string, key: string): Buffer => createHmac('sha256', secret).update(key).digest();

const alphabet = '0123456789abcdefghijklmnopqrstuvwxyz';
/** Random text of `length` characters, each drawn evenly. */
const randomText = (length: number): string => {
  let text = '';
  while (text.length < length) for (const byte of randomBytes(length)) if (byte < 252 && text.length < length) text += alphabet[byte % 36];
  return text;
};

export const randomKeyId = (): string => randomText(12);

/** A new key with this public id. */
export const keyText = (id: string): string => `est_${id}_${randomText(32)}`;
