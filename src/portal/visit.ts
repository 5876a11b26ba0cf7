/** One request to a page of the portal: who is asking, with which form, and what the page answers with. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Actor } from '../access/audit.ts';
import type { KeyStore } from '../access/keys.ts';
import type { Screen } from './layout.ts';
import type { Session } from './sessions.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The portal session; the gate looks for it on every request to the portal's pages. */
    session: Session | undefined;
  }
  interface FastifyContextConfig {
    /** A page of the portal that is open to those who have not signed in. */
    isForVisitors?: true;
  }
}

export interface Visit {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly session: Session;
  /** What the forms of the answer carry. */
  readonly token: string;
  readonly actor: Actor;
  readonly keys: KeyStore;
  readonly query: URLSearchParams;
  readonly form: URLSearchParams;
  /** A part of the path. */
  parameter(name: string): string;
}

/** Where the browser is sent instead (303). */
export interface Elsewhere {
  readonly to: string;
}

export type Page = (visit: Visit) => Promise<Screen | Elsewhere> | Screen | Elsewhere;
