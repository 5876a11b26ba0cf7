/** What the portal's pages work with, and one request to them: who is asking, with which form, and what a page answers with. */

import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Actor, recordAction } from '../access/audit.ts';
import { CustomerStore } from '../access/customers.ts';
import type { OpenWindows } from '../access/fixed-windows.ts';
import { KeyStore } from '../access/keys.ts';
import type { UsageCounter } from '../access/usage.ts';
import type { Catalogue } from '../catalogue/index.ts';
import type { Database } from '../database/connection.ts';
import type { Screen } from './layout.ts';
import type { Operators } from './password.ts';
import { type Session, Sessions } from './sessions.ts';

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
  readonly customers: CustomerStore;
  readonly query: URLSearchParams;
  readonly form: URLSearchParams;
  /** A part of the path. */
  parameter(name: string): string;
}

/** Where the browser is sent instead (303). */
export interface Elsewhere {
  readonly to: string;
}

/** What the browser keeps as a file. */
export interface Attachment {
  readonly name: string;
  readonly type: string;
  readonly chunks: AsyncIterable<string>;
}

export type Outcome = Screen | Elsewhere | Attachment;
export type Page = (visit: Visit) => Promise<Outcome> | Outcome;

export interface PortalOptions {
  readonly database: Database;
  readonly catalogue: Catalogue;
  readonly usage: UsageCounter;
  /** The service's secret. */
  readonly secret: string;
  readonly operators: Operators;
  /** Where wrong passwords are counted. */
  readonly openWindows: OpenWindows;
  /** Requests an hour per key; 0 is no limit. */
  readonly requestsPerHour: number;
}

export class PortalContext {
  readonly database: Database;
  readonly catalogue: Catalogue;
  readonly usage: UsageCounter;
  readonly secret: string;
  readonly operators: Operators;
  readonly openWindows: OpenWindows;
  readonly requestsPerHour: number;
  readonly sessions: Sessions;

  constructor({ database, catalogue, usage, secret, operators, openWindows, requestsPerHour }: PortalOptions) {
    this.database = database;
    this.catalogue = catalogue;
    this.usage = usage;
    this.secret = secret;
    this.operators = operators;
    this.openWindows = openWindows;
    this.requestsPerHour = requestsPerHour;
    this.sessions = new Sessions(secret, operators);
  }

  visit(request: FastifyRequest, reply: FastifyReply): Visit {
    const session = request.session ?? this.sessions.visit();
    const actor = actorOf(session, request.address);
    return {
      request,
      reply,
      session,
      actor,
      token: this.sessions.token(session),
      keys: new KeyStore(this.database, this.secret, actor),
      customers: new CustomerStore(this.database, actor),
      query: request.query as URLSearchParams,
      form: formOf(request),
      parameter: (name) => (request.params as Record<string, string>)[name]?.replaceAll('\0', '') ?? '',
    };
  }

  /** Logs what was done outside the key store. */
  record({ actor }: Pick<Visit, 'actor'>, action: string, subject: string): Promise<void> {
    return recordAction(this.database.control, actor, action, subject);
  }

  /** Whether the session was signed out; every instance asks the database. */
  async isEnded({ id }: Session): Promise<boolean> {
    const row = await this.database.control.selectFrom('ended_sessions').select('id').where('id', '=', id).executeTakeFirst();
    return row !== undefined;
  }

  /** Signs a session out, and forgets those whose time is over anyway. */
  async end({ id, expiresAt }: Session): Promise<void> {
    const { control } = this.database;
    await control.deleteFrom('ended_sessions').where('expires_at', '<', new Date()).execute();
    await control
      .insertInto('ended_sessions')
      .values({ id, expires_at: new Date(expiresAt) })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

/** The fields of a submitted form. */
export const formOf = ({ body }: FastifyRequest): URLSearchParams => (body instanceof URLSearchParams ? body : new URLSearchParams());

/** Without names, the beginning of a session's id tells sessions apart in the log; it is of no use to anybody else. */
export const actorOf = ({ id, isOperator, name }: Session, address: string): Actor => ({
  name: name || (isOperator ? `portal ${id.slice(0, 4)}` : 'visitor'),
  address,
});
