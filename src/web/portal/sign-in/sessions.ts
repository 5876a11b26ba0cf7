/**
 * Sessions as signed cookies, and the tokens that bind a form to its session.
 *
 * The cookie contains the whole session, so every instance can verify it. A visitor also has a session before the sign-in, so that the
 * sign-in form has a token.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Operators } from '../../../access/password.ts';

export interface PortalSession {
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
  /** Signs sessions of visitors, who have no password. It signs no session of an operator. */
  readonly #visitors: Buffer;
  /** Keys of operators by name; the empty name is for the shared password, if there is one. */
  readonly #operators: ReadonlyMap<string, Buffer>;

  /**
   * Sessions of operators are bound to the service's secret and to the password that opened them, so the secret alone opens no session. A
   * changed or removed password ends them.
   */
  constructor(secret: string, operators: Operators) {
    const keyOf = (hash: Buffer | '') => createHmac('sha256', secret).update('portal sessions').update(hash).digest();
    this.#visitors = keyOf('');
    this.#operators = new Map([...operators].map(([name, { hash }]) => [name, keyOf(hash)] as const));
  }

  newVisitor(): PortalSession {
    return this.#start(false, '');
  }

  /** The session of a signed-in operator. */
  enter(name: string): PortalSession {
    return this.#start(true, name);
  }

  /** The text of the cookie. */
  serialize(session: PortalSession): string {
    const content = contentOf(session);
    return `${content}.${this.#sign(session, `cookie ${content}`)}`;
  }

  /** The session of a cookie; undefined if its signature is invalid or it has expired. */
  parse(text: string | undefined): PortalSession | undefined {
    const [, kind = '', id = '', expiresAt = '', name = '', signature = ''] = cookiePattern.exec(text ?? '') ?? [];
    const session = { id, isOperator: kind === 'operator', name, expiresAt: Number(expiresAt) };
    const isSigned = this.#keyOf(session) !== undefined && equal(signature, this.#sign(session, `cookie ${contentOf(session)}`));
    return isSigned && session.expiresAt > Date.now() ? session : undefined;
  }

  /** The token in every form of the session. */
  token(session: PortalSession): string {
    return this.#sign(session, `form ${session.isOperator} ${session.id}`);
  }

  hasToken(session: PortalSession, token: string): boolean {
    return equal(token, this.token(session));
  }

  #start(isOperator: boolean, name: string): PortalSession {
    return { id: randomBytes(12).toString('base64url'), isOperator, name, expiresAt: Date.now() + sessionHours * 3_600_000 };
  }

  /** The key that signs a session; undefined if there can be no such session. */
  #keyOf({ isOperator, name }: PortalSession): Buffer | undefined {
    if (isOperator) return this.#operators.get(name);
    return name === '' ? this.#visitors : undefined;
  }

  #sign(session: PortalSession, text: string): string {
    return createHmac('sha256', this.#keyOf(session) as Buffer)
      .update(text)
      .digest('base64url');
  }
}

const contentOf = ({ isOperator, id, expiresAt, name }: PortalSession): string =>
  [isOperator ? 'operator' : 'visitor', id, expiresAt, ...(name === '' ? [] : [name])].join('.');
