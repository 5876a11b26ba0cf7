/** The services of the portal's pages, and one call: a request with its session, its form and its response. */
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Actor, recordAction } from '../../access/audit.ts';
import { CustomerStore } from '../../access/customers.ts';
import { KeyStore } from '../../access/keys.ts';
import type { Operators } from '../../access/password.ts';
import type { OpenWindows } from '../../access/rate-limit/fixed-windows.ts';
import type { UsageCounter } from '../../access/usage.ts';
import type { Catalogue } from '../../catalogue/index.ts';
import type { Database } from '../../database/connections/connection.ts';
import type { FileStore } from '../../files/store/file-store.ts';
import type { Uploads } from '../../sources/outside/uploads.ts';
import { EndpointStore } from '../../webhooks/endpoints.ts';
import type { WebhookReach } from '../../webhooks/post.ts';
import { languageOf } from '../pages/language.ts';
import { ViewRecords } from './customers/view-records.ts';
import type { PageContent } from './layout.ts';
import { type PortalSession, Sessions } from './sign-in/sessions.ts';
import { type Wording, wordings } from './texts/wording.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The portal session. The gate reads it on every request to the portal. */
    session: PortalSession | undefined;
  }
  interface FastifyContextConfig {
    /** A portal page without sign-in. */
    isForVisitors?: true;
    /** A portal page whose form holds files, and which checks the token of the form itself. */
    isUpload?: true;
  }
}

export interface PortalCall {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly session: PortalSession;
  /** The token in the forms of the response. */
  readonly token: string;
  readonly actor: Actor;
  /** The texts in the language of the browser. */
  readonly wording: Wording;
  readonly keys: KeyStore;
  readonly customers: CustomerStore;
  readonly webhooks: EndpointStore;
  readonly query: URLSearchParams;
  readonly form: URLSearchParams;
  /** A parameter of the path. */
  parameter(name: string): string;
}

/** The target of a redirect (303). */
export interface Redirect {
  readonly to: string;
}

/** A file download. */
export interface Attachment {
  readonly name: string;
  readonly type: string;
  readonly chunks: AsyncIterable<string>;
}

/** The text of a source as a file. */
export const sourceAttachment = (name: string, text: string): Attachment => ({
  name,
  type: 'application/yaml',
  chunks: Readable.from([text]),
});

export type PortalAnswer = PageContent | Redirect | Attachment;
export type PortalPage = (call: PortalCall) => Promise<PortalAnswer> | PortalAnswer;

export interface PortalOptions {
  readonly database: Database;
  readonly catalogue: Catalogue;
  readonly usage: UsageCounter;
  /** The files of customers, which are removed with them. */
  readonly files: Pick<FileStore, 'removeCustomer'>;
  /** The service's secret. */
  readonly secret: string;
  readonly operators: Operators;
  /** The counter of wrong passwords. */
  readonly openWindows: OpenWindows;
  /** Requests per hour and key; 0 for no limit. */
  readonly requestsPerHour: number;
  /** Deliveries over HTTP that this process works on. */
  readonly uploads: Uploads;
  /** Where webhooks may lead. */
  readonly reach: WebhookReach;
}

export class PortalContext {
  readonly database: Database;
  readonly catalogue: Catalogue;
  readonly usage: UsageCounter;
  readonly files: PortalOptions['files'];
  readonly secret: string;
  readonly operators: Operators;
  readonly openWindows: OpenWindows;
  readonly requestsPerHour: number;
  readonly reach: WebhookReach;
  readonly sessions: Sessions;
  readonly viewRecords: ViewRecords;
  readonly uploads: Uploads;

  constructor({ database, catalogue, usage, files, secret, operators, openWindows, requestsPerHour, uploads, reach }: PortalOptions) {
    this.database = database;
    this.catalogue = catalogue;
    this.usage = usage;
    this.files = files;
    this.secret = secret;
    this.operators = operators;
    this.openWindows = openWindows;
    this.requestsPerHour = requestsPerHour;
    this.reach = reach;
    this.sessions = new Sessions(secret, operators);
    this.viewRecords = new ViewRecords(database.control);
    this.uploads = uploads;
  }

  call(request: FastifyRequest, reply: FastifyReply): PortalCall {
    const session = request.session ?? this.sessions.newVisitor();
    const actor = actorOf(session, request.address);
    return {
      request,
      reply,
      session,
      actor,
      wording: wordings[languageOf(request.headers.cookie ?? '', request.headers['accept-language'] ?? '')],
      token: this.sessions.token(session),
      keys: new KeyStore(this.database, this.secret, actor),
      customers: new CustomerStore(this.database, actor),
      webhooks: new EndpointStore(this.database, { secret: this.secret, reach: this.reach, actor }),
      query: request.query as URLSearchParams,
      form: formOf(request),
      parameter: (name) => (request.params as Record<string, string>)[name]?.replaceAll('\0', '') ?? '',
    };
  }

  /** Records an action outside the key store in the audit log. */
  record({ actor }: Pick<PortalCall, 'actor'>, action: string, subject: string): Promise<void> {
    return recordAction(this.database.control, actor, action, subject);
  }

  /** Whether the session was signed out. Every instance asks the database. */
  async isEnded({ id }: PortalSession): Promise<boolean> {
    const row = await this.database.control.selectFrom('ended_sessions').select('id').where('id', '=', id).executeTakeFirst();
    return row !== undefined;
  }

  /** Signs a session out, and deletes expired ones. */
  async end({ id, expiresAt }: PortalSession): Promise<void> {
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

/** Without operator names, the start of the session id distinguishes sessions in the audit log. The start of an id is no credential. */
export const actorOf = ({ id, isOperator, name }: PortalSession, address: string): Actor => ({
  name: name || (isOperator ? `portal ${id.slice(0, 4)}` : 'visitor'),
  address,
});
