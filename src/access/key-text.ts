/**
 * The text of API keys: `est_<public id>_<secret>` (contract: API keys).
 *
 * The plaintext is shown once. The database stores the public id and an HMAC-SHA-256 of the whole key under the service's secret. So
 * neither the database nor a backup of it contains a usable key.
 */
import { createHmac, randomBytes } from 'node:crypto';

const keyPattern = /^est_([a-z0-9]{1,40})_([A-Za-z0-9]{1,64})$/;

/** The public id in a key; undefined for text that does not look like a key. */
export const publicId = (key: string): string | undefined => keyPattern.exec(key)?.[1];

/**
 * Matches keys in other text. At the beginning of a word, also after an encoded character, a malformed key counts too. Within a word, only a
 * text with a secret of 16 characters is a key: `latest_order_items` is none.
 */
const keyInText = /(?:(?<![a-z0-9])|(?<=\\[bfnrt]|\\u[0-9a-f]{4}|%[0-9a-f]{2}))est_([a-z0-9]+)_[a-z0-9]+|est_([a-z0-9]+)_[a-z0-9]{16,}/gi;
/** A fast test: text without these characters contains no key. */
const mayHold = /est_|key=/i;
const keyParameter = /([?&](?:x-)?api[-_]?key=)[^&#\s"\\]+/gi;

/** Decodes percent-encoded letters, digits and underscores. */
const decodeKeyCharacters = (text: string): string =>
  text.replaceAll(/%(?:25)*(3\d|[46][1-9a-f]|[57][0-9a]|5f)/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));

/** Removes the secrets of all keys in a text, percent-encoded ones too. Public ids stay (contract: key secrecy). */
export const redactKeys = (text: string): string => {
  const decoded = text.includes('%') ? decodeKeyCharacters(text) : text;
  if (!mayHold.test(decoded)) return text;
  return (decoded.search(keyInText) >= 0 ? decoded : text).replace(keyInText, 'est_$1$2_[redacted]').replace(keyParameter, '$1[redacted]');
};

export const hashKey = (secret: string, key: string): Buffer => createHmac('sha256', secret).update(key).digest();

const alphabet = '0123456789abcdefghijklmnopqrstuvwxyz';
/** Uniformly random text of `length` characters. */
const randomText = (length: number): string => {
  let text = '';
  while (text.length < length) for (const byte of randomBytes(length)) if (byte < 252 && text.length < length) text += alphabet[byte % 36];
  return text;
};

export const randomKeyId = (): string => randomText(12);

/** A new key with this public id. */
export const apiKeyText = (id: string): string => `est_${id}_${randomText(32)}`;
