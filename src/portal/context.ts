/** What the portal's pages work with. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Actor, recordAction } from '../access/audit.ts';
import { KeyStore } from '../access/keys.ts';
import type { UsageCounter } from '../access/usage.ts';
import type { Catalogue } from '../catalogue/index.ts';
import type { Database } from '../database/connection.ts';
import type { PasswordHash } from './password.ts';
import { type Session, Sessions } from './sessions.ts';
import type { Visit } from './visit.ts';

export interface PortalOptions {
  readonly database: Database;
  readonly catalogue: Catalogue;
  readonly usage: UsageCounter;
  /** The service's secret. */
  readonly secret: string;
  readonly password: PasswordHash;
  /** Requests an hour per key; 0 is no limit. */
  readonly requestsPerHour: number;
}

export class PortalContext {
  readonly database: Database;
  readonly catalogue: Catalogue;
  readonly usage: UsageCounter;
  readonly secret: string;
  readonly password: PasswordHash;
  readonly requestsPerHour: number;
  readonly sessions: Sessions;

  constructor({ database, catalogue, usage, secret, password, requestsPerHour }: PortalOptions) {
    this.database = database;
    this.catalogue = catalogue;
    this.usage = usage;
    this.secret = secret;
    this.password = password;
    this.requestsPerHour = requestsPerHour;
    this.sessions = new Sessions(secret, password);
  }

  visit(request: FastifyRequest, reply: FastifyReply): Visit {
    const session = request.session ?? this.sessions.start(false);
    const actor = actorOf(session, request.address);
    return {
      request,
      reply,
      session,
      actor,
      token: this.sessions.token(session),
      keys: new KeyStore(this.database, this.secret, actor),
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

/** The beginning of a session's id tells sessions apart in the log and is of no use to anybody else. */
export const actorOf = ({ id, isOperator }: Session, address: string): Actor => ({
  name: isOperator ? `portal ${id.slice(0, 4)}` : 'visitor',
  address,
});
