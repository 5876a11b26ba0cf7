/**
 * Sessions as signed cookies, and the tokens that tie a form to its session.
 *
 * The cookie holds everything, so any instance can check it. A visitor has a session too, before signing in, so that the
 * sign-in form carries a token like every other.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Operators } from './password.ts';

export interface Session {
  readonly id: string;
  readonly isOperator: boolean;
  /** Of an operator who has one; empty for visitors and for whoever came in by the shared password. */
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

export const sessionHours = 12;
const cookiePattern = /^(visitor|operator)\.([A-Za-z0-9_-]{16})\.(\d{13})(?:\.([a-z0-9._@-]+))?\.([A-Za-z0-9_-]{43})$/;

const equal = (one: string, other: string): boolean => {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
};

export class Sessions {
  /** By the names of operators; under the empty one that of visitors and of the shared password. */
  readonly #keys: ReadonlyMap<string, Buffer>;

  /** Sessions are bound to the service's secret and to the password that opened them: another password, or none, ends them. */
  constructor(secret: string, operators: Operators) {
    const keyOf = (hash: Buffer | '' = '') => createHmac('sha256', secret).update('portal sessions').update(hash).digest();
    this.#keys = new Map([['', keyOf(operators.get('')?.hash)], ...[...operators].map(([name, { hash }]) => [name, keyOf(hash)] as const)]);
  }

  visit(): Session {
    return this.#start(false, '');
  }

  /** The session of an operator who has signed in. */
  enter(name: string): Session {
    return this.#start(true, name);
  }

  /** The cookie's text. */
  serialize(session: Session): string {
    const content = contentOf(session);
    return `${content}.${this.#sign(session.name, `cookie ${content}`)}`;
  }

  /** The session that a cookie's text stands for; undefined if it was not signed here or its time is over. */
  parse(text: string | undefined): Session | undefined {
    const [, kind = '', id = '', expiresAt = '', name = '', signature = ''] = cookiePattern.exec(text ?? '') ?? [];
    const session = { id, isOperator: kind === 'operator', name, expiresAt: Number(expiresAt) };
    if (!this.#keys.has(name) || !equal(signature, this.#sign(name, `cookie ${contentOf(session)}`))) return undefined;
    return session.expiresAt > Date.now() ? session : undefined;
  }

  /** What every form of the session carries. */
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
