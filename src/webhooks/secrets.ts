/** Secrets of endpoints: their text, how they are stored, and the signatures that they make (Standard Webhooks 1.0). */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

const cipher = 'aes-256-gcm';
const [ivBytes, tagBytes] = [12, 16];

export const newSecret = (): Buffer => randomBytes(32);

/** The text of a secret that an operator gives to the receiver. */
export const secretText = (secret: Buffer): string => `whsec_${secret.toString('base64')}`;

const keyOf = (keySecret: string): Buffer => Buffer.from(hkdfSync('sha256', keySecret, '', 'secrets of webhooks', 32));

/** Encrypts a secret under `KEY_SECRET`. */
export const seal = (keySecret: string, secret: Buffer): Buffer => {
  const iv = randomBytes(ivBytes);
  const sealing = createCipheriv(cipher, keyOf(keySecret), iv);
  return Buffer.concat([iv, sealing.update(secret), sealing.final(), sealing.getAuthTag()]);
};

/** Decrypts a secret. Throws if `KEY_SECRET` is not the one under which it was encrypted. */
export const unseal = (keySecret: string, sealed: Buffer): Buffer => {
  const opening = createDecipheriv(cipher, keyOf(keySecret), sealed.subarray(0, ivBytes), { authTagLength: tagBytes });
  opening.setAuthTag(sealed.subarray(-tagBytes));
  return Buffer.concat([opening.update(sealed.subarray(ivBytes, -tagBytes)), opening.final()]);
};

export interface Message {
  /** The same in all attempts. */
  readonly id: string;
  readonly body: string;
}

/** The headers of an attempt: one signature for each secret. */
export const signedHeaders = (secrets: readonly Buffer[], { id, body }: Message, now = Date.now()): Record<string, string> => {
  const timestamp = String(Math.floor(now / 1_000));
  const sign = (secret: Buffer) => `v1,${createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': secrets.map(sign).join(' ') };
};
