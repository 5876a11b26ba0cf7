/**
 * The settings of the service: one list with names, defaults and help. Only this file reads the environment. The table in
 * docs/administration.md is generated from it.
 */
import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { isOperatorName, minPassword, type Operators, readHash } from './access/password.ts';
import { OperatorError } from './errors.ts';
import type { StorePlace } from './files/store/file-store.ts';
import { parseS3Address } from './files/store/s3-address.ts';
import type { TrustedProxies } from './http/client-address.ts';
import { parsePublicUrl } from './http/public-url.ts';
import type { WebhookReach } from './webhooks/post.ts';

const integer = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be from ${min} to ${max}`);

/** An address, or a network such as `10.0.0.0/8`. */
const isNetwork = (text: string): boolean => {
  const [address = '', prefix, ...more] = text.split('/');
  const longest = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0;
  return longest > 0 && more.length === 0 && (prefix === undefined || (/^[1-9]\d*$/.test(prefix) && Number(prefix) <= longest));
};

const maxProxies = 32;

const proxies = z.string().transform((text, context): TrustedProxies => {
  if (text === 'true') return 1;
  if (text === 'false') return 0;
  if (/^\d+$/.test(text) && Number(text) <= maxProxies) return Number(text);
  const networks = text.split(',').map((network) => network.trim());
  if (networks.every(isNetwork)) return networks;
  context.addIssue({
    code: 'custom',
    message: `must be a number of proxies up to ${maxProxies}, or their addresses and networks, separated by commas`,
  });
  return z.NEVER;
});

/** Secrets that documents and compose files have shown. Anyone knows them, so a service on a server does not start with them. */
const publishedSecrets = new Set([
  'only-for-a-trial-on-this-machine',
  'at least 16 characters, the same on every instance',
  'at least 12 characters',
]);

/** Connections for large pages. There is one for each large page in flight, so that none waits for another. */
const bulk = { all: 16, min: 3 } as const;

const address = z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// address' });

/** Comma-separated addresses. */
const addresses = z.string().transform((text, context): readonly string[] => {
  const all = text.split(',').filter(Boolean);
  if (all.every((each) => address.safeParse(each).success)) return all;
  context.addIssue({ code: 'custom', message: 'must be postgres:// addresses, separated by commas' });
  return z.NEVER;
});

const ports = z.string().transform((text, context): readonly number[] | undefined => {
  if (text === '') return undefined;
  const all = text.split(',').map((port) => port.trim());
  if (all.every((port) => /^[1-9]\d{0,4}$/.test(port) && Number(port) <= 65_535)) return all.map(Number);
  context.addIssue({ code: 'custom', message: 'must be ports from 1 to 65535, separated by commas' });
  return z.NEVER;
});

/** A proxy, optionally with user and password. A path would be ignored without a word. */
const proxy = z.string().transform((text, context): URL | undefined => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (text === '' || (url && /^https?:$/.test(url.protocol) && url.pathname === '/' && !url.search && !url.hash)) return url;
  context.addIssue({
    code: 'custom',
    message: 'must be http://<host>:<port> or https://<host>:<port>, optionally with <user>:<password>@',
  });
  return z.NEVER;
});

const operators = z.string().transform((text, context): Operators => {
  const entries = text
    .split(',')
    .filter(Boolean)
    .map((entry) => entry.trim().split(':'))
    .map(([name = '', hash = '', ...more]) => [name, more.length === 0 ? readHash(hash) : undefined] as const);
  const all = new Map(entries.flatMap(([name, hash]) => (hash && isOperatorName(name) ? [[name, hash] as const] : [])));
  if (all.size === entries.length) return all;
  context.addIssue({
    code: 'custom',
    message:
      'must be name:hash, separated by commas: each name once, of small letters, digits and . _ @ -, each hash from estate portal hash',
  });
  return z.NEVER;
});

/** The schema of each setting; `defaultValue` is its default. */
export const settings = {
  DATABASE_URL: {
    defaultValue: '',
    help: 'Address of a PostgreSQL 15+ server, `postgres://user:password@host:5432/database`. Without it the service runs on an embedded database.',
    schema: z.union([z.literal(''), address]),
  },
  DATABASE_READ_URL: {
    defaultValue: '',
    help: 'Addresses of streaming replicas, separated by commas. They answer reads of data that they have replayed. `DATABASE_URL` serves everything else.',
    schema: addresses,
  },
  DATABASE_DIRECT_URL: {
    defaultValue: '',
    help: 'Direct address of the server for loads, migrations and notifications, if `DATABASE_URL` leads to a transaction pooler (PgBouncer).',
    schema: z.union([z.literal(''), address]),
  },
  PREPARED_STATEMENTS: {
    defaultValue: 'on',
    help: '`off` disables named statements, for poolers that do not support them (PgBouncer before 1.21).',
    schema: z.enum(['on', 'off'], { error: 'must be on or off' }).transform((text) => text === 'on'),
  },
  NODE_READS: {
    defaultValue: 'off',
    help: 'With Citus, `on` sends reads to the node that holds the customer instead of the coordinator. Nodes must be reachable at the addresses of `estate nodes`, with user, password and database of `DATABASE_URL` (behind a pooler, of `DATABASE_DIRECT_URL`).',
    schema: z.enum(['on', 'off'], { error: 'must be on or off' }).transform((text) => text === 'on'),
  },
  DATA_DIR: {
    defaultValue: '.data',
    help: 'Folder of the embedded database and its key secret.',
    schema: z.string().min(1, 'must not be empty'),
  },
  FILES_DIR: {
    defaultValue: '',
    help: 'Folder of the files of `/files`. They hold copies of the data. Instances may share a folder; databases may not. By default it is `files` in `DATA_DIR`.',
    schema: z.string(),
  },
  FILES_S3_URL: {
    defaultValue: '',
    help: 'S3-compatible store of the files of `/files`, `https://<key>:<secret>@<host>/<bucket>/<folders>?region=<region>`, with percent-encoding in key and secret. The region is `us-east-1` by default. Then `FILES_DIR` holds only files in work. Instances share the store.',
    schema: z.string().transform((text, context) => {
      const place = text === '' ? undefined : parseS3Address(text);
      if (place || text === '') return place;
      context.addIssue({ code: 'custom', message: 'must be https://<key>:<secret>@<host>/<bucket>, optionally with folders and ?region=' });
      return z.NEVER;
    }),
  },
  REDIS_URL: {
    defaultValue: '',
    help: 'Address of a Redis or Valkey server, `redis://user:password@host:6379/0` (`rediss://` with TLS), where all instances count quota, addresses and sign-in lock-outs together. Without it each instance counts separately.',
    schema: z.union([z.literal(''), z.url({ protocol: /^rediss?$/, error: 'must be a redis:// or rediss:// address' })]),
  },
  WORKERS: {
    defaultValue: '1',
    help: 'Processes that share the port, each with its own database connections; `auto` is one per core. Needs `DATABASE_URL`.',
    schema: z.union([z.literal('auto').transform(() => availableParallelism()), integer(1, 256)], {
      error: 'must be auto or a whole number from 1 to 256',
    }),
  },
  HOST: { defaultValue: '127.0.0.1', help: 'Address to listen on; `0.0.0.0` for all.', schema: z.string().min(1, 'must not be empty') },
  PORT: { defaultValue: '8080', help: 'Port to listen on; 0 takes a free one.', schema: integer(0, 65_535) },
  PUBLIC_URL: {
    defaultValue: '',
    help: 'Address under which clients reach the service, with a path prefix if it has one: `https://example.com/estate`. All links, locations, addresses in answers and pages begin with it. By default it is `http://localhost:PORT`; no header of a request changes it. Set it in production.',
    schema: z.string().transform((text, context) => {
      const url = text === '' ? '' : parsePublicUrl(text);
      if (url !== undefined) return url;
      context.addIssue({
        code: 'custom',
        message:
          'must be an http:// or https:// address, optionally with a path of letters, digits and . _ ~ -, without user, query and fragment',
      });
      return z.NEVER;
    }),
  },
  METRICS_PORT: {
    defaultValue: '',
    help: 'Port of `HOST` at which Prometheus reads `/metrics`, of all workers together; 0 takes a free one. Do not expose it through the load balancer, or set `METRICS_TOKEN`. Without it there are no metrics.',
    schema: z.union([z.literal('').transform(() => undefined), integer(0, 65_535)], { error: 'must be from 0 to 65535' }),
  },
  METRICS_TOKEN: {
    defaultValue: '',
    help: 'Bearer token that a request for metrics must carry, at least 16 characters; empty for none.',
    schema: z.union([z.literal(''), z.string().regex(/^[\x21-\x7e]{16,}$/, 'must have at least 16 characters, without blanks')]),
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    defaultValue: '',
    help: 'Address of an OpenTelemetry collector, `http://host:4318`, to which traces are sent over OTLP/HTTP. OpenTelemetry reads its other variables itself, such as `OTEL_EXPORTER_OTLP_HEADERS` and `OTEL_SERVICE_NAME`. Without it no code of OpenTelemetry is loaded.',
    schema: z.union([z.literal(''), z.url({ protocol: /^https?$/, error: 'must be an http:// or https:// address' })]),
  },
  KEY_SECRET: {
    defaultValue: '',
    help: 'Secret under which API keys are hashed and cursors signed, at least 16 characters, the same on every instance. Required with `DATABASE_URL`; the embedded database makes its own.',
    schema: z.union([z.literal(''), z.string().min(16, 'must have at least 16 characters')]),
  },
  PORTAL_PASSWORD: {
    defaultValue: '',
    help: "The operator's password for the portal, at least 12 characters. Without it the portal is off, but on the embedded database, which makes one and prints it at its first start.",
    schema: z.union([z.literal(''), z.string().min(minPassword, `must have at least ${minPassword} characters`)]),
  },
  PORTAL_OPERATORS: {
    defaultValue: '',
    help: 'Named operators, separated by commas: `anna:<hash>,ben:<hash>`, with hashes of `estate portal hash`. They sign in by name, and the log contains the name. `PORTAL_PASSWORD` still works if it is set.',
    schema: operators,
  },
  RATE_LIMIT: { defaultValue: '500', help: 'Requests an hour per API key; 0 switches the limit off.', schema: integer(0, 1_000_000_000) },
  LOG_LEVEL: {
    defaultValue: 'info',
    help: '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`.',
    schema: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], { error: 'must be a log level' }),
  },
  CORS_ORIGINS: {
    defaultValue: '',
    help: 'Origins whose pages may call the service from a browser, separated by commas; `*` for all.',
    schema: z.string().transform((text) =>
      text
        .split(',')
        .map((origin) => origin.trim())
        .filter(Boolean),
    ),
  },
  TRUST_PROXY: {
    defaultValue: 'false',
    help: 'Reverse proxies in front: how many (`1`; `true` is one), or their addresses and networks, separated by commas (`10.0.0.0/8,192.0.2.7`). The client address is the one that the nearest proxy reports in `X-Forwarded-For`. With a number, only the proxies may be able to reach the port.',
    schema: proxies,
  },
  CONNECTIONS_PER_ADDRESS: {
    defaultValue: '5000',
    help: 'Open connections from one client address (of IPv6, one /64); more are answered 429 and closed. Connections from trusted proxies are not counted. 0 switches the limit off.',
    schema: integer(0, 1_000_000),
  },
  REQUESTS_PER_KEY: {
    defaultValue: '64',
    help: 'Requests of one API key that may be in flight; more get 503 with `Retry-After`. 0 switches the limit off.',
    schema: integer(0, 1_000_000),
  },
  POOL_SIZE: {
    defaultValue: '10',
    help: 'Database connections. The service uses 2 itself, and the portal 2 more while it is in use. Of the others, two fifths serve GraphQL and three fifths pages. One customer uses at most half of each share.',
    schema: integer(4, 1_000),
  },
  BULK_POOL_SIZE: {
    defaultValue: 'auto',
    help: `Database connections for large pages (over 1,000 rows); \`auto\` is ${bulk.all}, divided among workers, at least ${bulk.min} each. They are opened on demand and closed after an idle minute.`,
    schema: z.union([z.literal('auto'), integer(1, 1_000)], { error: 'must be auto or a whole number from 1 to 1000' }),
  },
  LARGE_PAGES: {
    defaultValue: '16',
    help: 'Maximum number of large pages and GraphQL answers that wait on disk for their clients; one customer may have half of them. Others wait, and then get 503 with `Retry-After`.',
    schema: integer(1, 10_000),
  },
  RESPONSE_CACHE_MB: {
    defaultValue: '64',
    help: 'Size of the response cache in megabytes, shared fairly by customers; 0 disables it.',
    schema: integer(0, 65_536),
  },
  WARM_UP_MS: {
    defaultValue: '2000',
    help: 'Milliseconds of warm-up before the process listens: it requests pages and documents from itself, so that the first requests are not slower than others; 0 disables it.',
    schema: integer(0, 60_000),
  },
  QUEUE_WAIT_MS: {
    defaultValue: '15000',
    help: 'Milliseconds that a request may wait for other requests of its customer. Then it gets 503 with `Retry-After`.',
    schema: integer(100, 3_600_000),
  },
  STATEMENT_TIMEOUT_MS: { defaultValue: '60000', help: 'Milliseconds that one statement may take.', schema: integer(100, 3_600_000) },
  DOCUMENT_TIMEOUT_MS: {
    defaultValue: '10000',
    help: 'Milliseconds that a GraphQL document, or groups, may read from the database.',
    schema: integer(100, 3_600_000),
  },
  PERSISTED_DIR: {
    defaultValue: '',
    help: 'Folder of `.graphql` files that clients may request by the SHA-256 of their text.',
    schema: z.string(),
  },
  PERSISTED_ONLY: {
    defaultValue: 'false',
    help: '`true` executes only the GraphQL documents of `PERSISTED_DIR`.',
    schema: z.enum(['true', 'false'], { error: 'must be true or false' }).transform((text) => text === 'true'),
  },
  REQUEST_TIMEOUT_MS: {
    defaultValue: '30000',
    help: 'Milliseconds that a client may take to send its request with its body.',
    schema: integer(100, 3_600_000),
  },
  STOP_DELAY_MS: {
    defaultValue: '0',
    help: 'Milliseconds after `SIGTERM` during which the service still answers, while `/health/ready` reports that it is not ready. The load balancer must notice within this time.',
    schema: integer(0, 600_000),
  },
  STOP_TIMEOUT_MS: {
    defaultValue: '30000',
    help: 'Milliseconds that requests in flight may take when the service is stopped. Then their connections are reset.',
    schema: integer(0, 3_600_000),
  },
  DELTA_RETENTION_HOURS: {
    defaultValue: '168',
    help: 'Retention time of deltas in hours. An older copy must be downloaded again.',
    schema: integer(1, 87_600),
  },
  WEBHOOK_ALLOW_PRIVATE: {
    defaultValue: 'false',
    help: '`true` lets webhooks lead to `http` and to addresses of private networks. An operator who adds webhooks then reaches what this machine reaches.',
    schema: z.enum(['true', 'false'], { error: 'must be true or false' }).transform((text) => text === 'true'),
  },
  WEBHOOK_PORTS: {
    defaultValue: '',
    help: 'Ports that webhooks may lead to, separated by commas: `443,8443`. By default 443, or all with `WEBHOOK_ALLOW_PRIVATE=true`.',
    schema: ports,
  },
  WEBHOOK_PROXY: {
    defaultValue: '',
    help: 'Proxy through which webhooks are sent, `http://user:password@host:3128` (`https://` with TLS), by `CONNECT`. The proxy then resolves the names and must refuse private addresses. Without it webhooks are sent directly.',
    schema: proxy,
  },
  WEBHOOK_STALE_HOURS: {
    defaultValue: '36',
    help: 'Age of the last load in hours from which webhooks get the event `data.stale`.',
    schema: integer(1, 87_600),
  },
  VERSION_FEED: {
    defaultValue: 'listen',
    help: 'How an instance learns of new data: `listen` uses notifications and polling; `poll` only polls, for use behind a transaction pooler.',
    schema: z.enum(['listen', 'poll'], { error: 'must be listen or poll' }),
  },
} as const;

type Settings = typeof settings;
export type Config = { readonly [Name in keyof Settings]: z.output<Settings[Name]['schema']> };

/** Parses the settings. Throws an `OperatorError` with one line for each invalid setting. */
export const readConfig = (environment: Readonly<Record<string, string | undefined>> = process.env): Config => {
  const problems: string[] = [];
  const entries = Object.entries(settings).map(([name, { schema, defaultValue }]) => {
    const parsed = (schema as z.ZodType).safeParse(environment[name] || defaultValue);
    if (!parsed.success) problems.push(`${name} ${parsed.error.issues[0]?.message ?? 'is wrong'}`);
    return [name, parsed.data];
  });
  // A setting under its previous name would be ignored without a word.
  if (environment.ANSWER_CACHE_MB) problems.push('ANSWER_CACHE_MB is now RESPONSE_CACHE_MB');
  const config = Object.freeze(Object.fromEntries(entries)) as Config;
  if (config.DATABASE_URL && !config.KEY_SECRET)
    problems.push('KEY_SECRET is required with DATABASE_URL: at least 16 characters, the same on every instance');
  for (const name of ['KEY_SECRET', 'PORTAL_PASSWORD'] as const)
    if (config.DATABASE_URL && publishedSecrets.has(config[name]))
      problems.push(
        `${name} is a value from the documentation, which anyone knows: set one of your own, such as that of openssl rand -hex 32`,
      );
  if (config.WORKERS > 1 && !config.DATABASE_URL)
    problems.push('WORKERS must be 1 without DATABASE_URL: the embedded database is for one process');
  if (problems.length > 0) throw new OperatorError(problems.join('\n'));
  return config;
};

/** The number of database connections of a process for large pages. */
export const bulkPoolSizeOf = ({ BULK_POOL_SIZE, WORKERS }: Pick<Config, 'BULK_POOL_SIZE' | 'WORKERS'>): number =>
  BULK_POOL_SIZE === 'auto' ? Math.max(bulk.min, Math.floor(bulk.all / WORKERS)) : BULK_POOL_SIZE;

/** The place of the files of `/files`. */
export const filesPlaceOf = ({
  FILES_DIR,
  FILES_S3_URL,
  DATA_DIR,
}: Pick<Config, 'FILES_DIR' | 'FILES_S3_URL' | 'DATA_DIR'>): StorePlace => ({
  folder: FILES_DIR || join(DATA_DIR, 'files'),
  s3: FILES_S3_URL,
});

/** Where webhooks may lead, and how. */
export const webhookReachOf = ({
  WEBHOOK_ALLOW_PRIVATE: allowsPrivate,
  WEBHOOK_PORTS: ports,
  WEBHOOK_PROXY: proxy,
}: Pick<Config, 'WEBHOOK_ALLOW_PRIVATE' | 'WEBHOOK_PORTS' | 'WEBHOOK_PROXY'>): WebhookReach => ({
  allowsPrivate,
  ports: ports ?? (allowsPrivate ? undefined : [443]),
  proxy,
});
