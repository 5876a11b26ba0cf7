/**
 * Sessions as signed cookies, and the tokens that bind a form to its session.
 *
 * The cookie contains the whole session, so every instance can verify it. A visitor also has a session before the sign-in, so that the
 * sign-in form has a token.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Operators } from '../../../access/password.ts';

export interface Session {
  readonly id: string;
  readonly isOperator: boolean;
  /** The operator's name; empty for visitors and for the shared password. */
  readonly name: string;
  /** Unix time in milliseconds. */
  readonly expiresAt: number;
}

export const sessionHours = 12;
const cookiePattern = /^(visitor|operator)\.([A-Za-z0-9_-]{16})\.(\d{13})(?:\.([a-z0-9._@-]+))?\.([A-Za-z0-9_-]{43})$/;

const equal = (one: string, other: string): boolean => {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
};

export class Sessions {
  /** Password hashes by operator name; the empty name is for visitors and the shared password. */
  readonly #keys: ReadonlyMap<string, Buffer>;

  /** Sessions are bound to the service's secret and to the password that opened them. A changed or removed password ends them. */
  constructor(secret: string, operators: Operators) {
    const keyOf = (hash: Buffer | '' = '') => createHmac('sha256', secret).update('portal sessions').update(hash).digest();
    this.#keys = new Map([['', keyOf(operators.get('')?.hash)], ...[...operators].map(([name, { hash }]) => [name, keyOf(hash)] as const)]);
  }

  visit(): Session {
    return this.#start(false, '');
  }

  /** The session of a signed-in operator. */
  enter(name: string): Session {
    return this.#start(true, name);
  }

  /** The text of the cookie. */
  serialize(session: Session): string {
    const content = contentOf(session);
    return `${content}.${this.#sign(session.name, `cookie ${content}`)}`;
  }

  /** The session of a cookie; undefined if its signature is invalid or it has expired. */
  parse(text: string | undefined): Session | undefined {
    const [, kind = '', id = '', expiresAt = '', name = '', signature = ''] = cookiePattern.exec(text ?? '') ?? [];
    const session = { id, isOperator: kind === 'operator', name, expiresAt: Number(expiresAt) };
    if (!this.#keys.has(name) || !equal(signature, this.#sign(name, `cookie ${contentOf(session)}`))) return undefined;
    return session.expiresAt > Date.now() ? session : undefined;
  }

  /** The token in every form of the session. */
  token({ id, isOperator, name }: Session): string {
    return this.#sign(name, `form ${isOperator} ${id}`);
  }

  hasToken(session: Session, token: string): boolean {
    return equal(token, this.token(session));
  }

  #start(isOperator: boolean, name: string): Session {
    return { id: randomBytes(12).toString('base64url'), isOperator, name, expiresAt: Date.now() + sessionHours * 3_600_000 };
  }

  #sign(name: string, text: string): string {
    return createHmac('sha256', this.#keys.get(name) as Buffer)
      .update(text)
      .digest('base64url');
  }
}

const contentOf = ({ isOperator, id, expiresAt, name }: Session): string =>
  [isOperator ? 'operator' : 'visitor', id, expiresAt, ...(name === '' ? [] : [name])].join('.');
