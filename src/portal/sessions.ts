/**
 * Sessions as signed cookies, and the tokens that tie a form to its session.
 *
 * The cookie holds everything, so any instance can check it. A visitor has a session too, before signing in, so that the
 * sign-in form carries a token like every other.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { PasswordHash } from './password.ts';

export interface Session {
  readonly id: string;
  readonly isOperator: boolean;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

export const sessionHours = 12;
const cookiePattern = /^(visitor|operator)\.([A-Za-z0-9_-]{16})\.(\d{13})\.([A-Za-z0-9_-]{43})$/;

const equal = (one: string, other: string): boolean => {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
};

export class Sessions {
  readonly #key: Buffer;

  /** Sessions are bound to the service's secret and to the password that opened them. */
  constructor(secret: string, { hash }: PasswordHash) {
    this.#key = createHmac('sha256', secret).update('portal sessions').update(hash).digest();
  }

  start(isOperator: boolean): Session {
    return { id: randomBytes(12).toString('base64url'), isOperator, expiresAt: Date.now() + sessionHours * 3_600_000 };
  }

  /** The cookie's text. */
  serialize({ id, isOperator, expiresAt }: Session): string {
    const content = `${isOperator ? 'operator' : 'visitor'}.${id}.${expiresAt}`;
    return `${content}.${this.#sign(`cookie ${content}`)}`;
  }

  /** The session that a cookie's text stands for; undefined if it was not signed here or its time is over. */
  parse(text: string | undefined): Session | undefined {
    const [, kind = '', id = '', expiresAt = '', signature = ''] = cookiePattern.exec(text ?? '') ?? [];
    if (!equal(signature, this.#sign(`cookie ${kind}.${id}.${expiresAt}`)) || Number(expiresAt) <= Date.now()) return undefined;
    return { id, isOperator: kind === 'operator', expiresAt: Number(expiresAt) };
  }

  /** What every form of the session carries. */
  token({ id, isOperator }: Session): string {
    return this.#sign(`form ${isOperator} ${id}`);
  }

  hasToken(session: Session, token: string): boolean {
    return equal(token, this.token(session));
  }

  #sign(text: string): string {
    return createHmac('sha256', this.#key).update(text).digest('base64url');
  }
}
