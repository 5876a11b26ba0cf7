/** The checks of `estate doctor` for PostgreSQL and Redis: reachability, version, rights and clock. */
import { Redis } from 'ioredis';
import pg from 'pg';
import { bulkPoolSizeOf, type Config } from '../../config.ts';
import type { Database } from '../../database/connections/connection.ts';
import { keepsNamedStatements } from '../../database/connections/named-statements.ts';
import { checkPooledSettings } from '../../database/connections/pooled.ts';
import { controlProblem, refuseNewer } from '../../database/control/control.ts';
import { controlOver, controlSchema } from '../../database/control-tables.ts';
import { qualify } from '../../database/identifier.ts';
import { examineLoads, examineWebhooks } from './doctor-loads.ts';
import { examineNodes } from './doctor-nodes.ts';
import { type DoctorFinding, failed, ok, warning } from './finding.ts';

const answersWithinMs = 5_000;
const minVersion = 150_000;
const maxSecondsApart = 2;
const maxSecondsBehind = 30;

/** Opens one connection to a server for the duration of `work`. */
const over = async <T>(url: string, work: (pool: pg.Pool) => Promise<T>): Promise<T> => {
  const pool = new pg.Pool({ connectionString: url, max: 1, connectionTimeoutMillis: answersWithinMs, query_timeout: answersWithinMs });
  pool.on('error', () => {});
  try {
    return await work(pool);
  } finally {
    await pool.end();
  }
};

/** The seconds by which another clock is ahead of this one. Half of the round trip counts for each direction. */
const secondsAhead = async (askTime: () => Promise<number>): Promise<number> => {
  const before = Date.now();
  const there = await askTime();
  return (there - (before + Date.now()) / 2) / 1_000;
};

const clock = (check: string, seconds: number): DoctorFinding =>
  Math.abs(seconds) <= maxSecondsApart
    ? ok(check, `${Math.abs(seconds).toFixed(1)} s apart`)
    : warning(
        check,
        `${Math.abs(seconds).toFixed(1)} s ${seconds > 0 ? 'ahead' : 'behind'}`,
        'Let both machines take the time from the same server (NTP): keys end and windows close by it.',
      );

interface Facts {
  readonly version: string;
  readonly number: number;
  readonly encoding: string;
  readonly database: string;
  readonly role: string;
  readonly is_superuser: boolean;
  readonly may_create: boolean;
  readonly is_replica: boolean;
  readonly connections: number;
}

const factsQuery = `select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
  current_setting('server_encoding') as encoding, quote_ident(current_database()) as database, quote_ident(current_user) as role,
  (select rolsuper from pg_catalog.pg_roles where rolname = current_user) as is_superuser,
  has_database_privilege(current_database(), 'create') as may_create, pg_is_in_recovery() as is_replica,
  current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as connections`;

const rightsOf = ({ is_superuser, may_create, role, database }: Facts): DoctorFinding => {
  if (is_superuser)
    return warning(
      'rights',
      `${role} is a superuser`,
      'Give the service a role of its own that is none: docs/operating.md, "The role and its rights".',
    );
  return may_create
    ? ok('rights', `${role} may create schemas`)
    : failed('rights', `${role} may not create schemas`, `As the owner of the database: grant create on database ${database} to ${role};`);
};

/** Checks the control schema, and that the role owns all schemas that the service writes. */
const schemasOf = async (pool: pg.Pool): Promise<DoctorFinding[]> => {
  const control = (await controlProblem(pool)) ?? (await refuseNewer(controlOver(pool)).catch((error: Error) => error.message));
  if (control) return [failed('control schema', control, 'With this version of the program, or the newer one: estate migrate.')];
  const { rows } = await pool.query<{ name: string }>(
    `select quote_ident(nspname) as name from pg_catalog.pg_namespace
     where nspname = '${controlSchema}' and not has_schema_privilege(oid, 'create')
       or nspname in (select schema_name from ${qualify(controlSchema, 'customers')}) and not pg_has_role(nspowner, 'usage')
     order by nspname limit 5`,
  );
  const foreign = rows.map(({ name }) => name).join(', ');
  const upToDate = ok('control schema', 'up to date');
  return foreign === ''
    ? [upToDate]
    : [
        upToDate,
        failed(
          'ownership',
          `${foreign} belong to another role`,
          'Loads and migrations need a role that owns them: alter schema … owner to …, and its tables.',
        ),
      ];
};

/** The facts that one server reports. */
export const examineDatabase = async (pool: pg.Pool, needed?: number): Promise<DoctorFinding[]> => {
  const { rows } = await pool.query<Facts>(factsQuery);
  const facts = rows[0] as Facts;
  const { version, number, encoding, database, is_replica, connections } = facts;
  return [
    number >= minVersion ? ok('PostgreSQL', version) : failed('PostgreSQL', version, 'Upgrade it to 15 or newer.'),
    ...(is_replica
      ? [failed('primary', 'DATABASE_URL is a replica', 'DATABASE_URL takes the primary; replicas go into DATABASE_READ_URL.')]
      : []),
    encoding === 'UTF8'
      ? ok('encoding', encoding)
      : failed(
          'encoding',
          encoding,
          `Dump ${database} and restore it into one made with: create database … encoding 'UTF8' template template0;`,
        ),
    ...(needed === undefined ? [] : [rightsOf(facts)]),
    ...(needed !== undefined && needed > connections
      ? [
          warning(
            'connections',
            `${needed} may be opened here, the server takes ${connections}`,
            'Lower POOL_SIZE, BULK_POOL_SIZE or WORKERS, or raise max_connections.',
          ),
        ]
      : []),
    ...(await schemasOf(pool)),
    ...(facts.is_replica ? [] : [...(await examineLoads(pool)), ...(await examineWebhooks(pool))]),
    clock(
      'database clock',
      await secondsAhead(async () => {
        const { rows } = await pool.query<{ at: Date }>('select clock_timestamp() as at');
        return rows[0]?.at.getTime() ?? 0;
      }),
    ),
  ];
};

const epochQuery = `select id from ${qualify(controlSchema, 'epoch')}`;

const examineReplica = (primary: pg.Pool, url: string, check: string): Promise<DoctorFinding> =>
  over(url, async (replica) => {
    const { rows } = await replica.query<{ is_replica: boolean; lsn: string | null; seconds: number | null }>(
      `select pg_is_in_recovery() as is_replica, pg_last_wal_replay_lsn()::text as lsn,
         extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp())::float8 as seconds`,
    );
    const { is_replica, lsn, seconds } = rows[0] ?? {};
    if (!is_replica)
      return failed(
        check,
        'it follows no server',
        'It was promoted, or is another server: make it a replica of DATABASE_URL again, or take it out of DATABASE_READ_URL.',
      );
    const [own, primarys] = await Promise.all([replica.query(epochQuery), primary.query(epochQuery)]);
    if (own.rows[0]?.id !== primarys.rows[0]?.id)
      return failed(
        check,
        'it has other data than DATABASE_URL',
        'It follows another server: see the address, and primary_conninfo on the replica.',
      );
    const { rows: behind } = await primary.query<{ bytes: number }>(
      'select pg_wal_lsn_diff(pg_current_wal_lsn(), $1::pg_lsn)::float8 as bytes',
      [lsn],
    );
    const bytes = Math.max(0, behind[0]?.bytes ?? 0);
    const words = bytes === 0 ? 'has replayed all' : `${Math.round(bytes / 1024)} kB behind, last change ${Math.round(seconds ?? 0)} s old`;
    return bytes > 0 && (seconds ?? Number.POSITIVE_INFINITY) > maxSecondsBehind
      ? warning(
          check,
          words,
          'Look for a long query or pg_wal_replay_pause on the replica, and for a slow network; reads go to the primary meanwhile.',
        )
      : ok(check, words);
  });

const unreached = (check: string, setting: string) => (error: unknown) =>
  failed(
    check,
    `failed: ${(error as Error).message || (error as { code?: string }).code}`,
    `Check the address in ${setting}, that the server runs, and that no firewall blocks it.`,
  );

/** The server of `DATABASE_URL`, its replicas, and the direct connection around its pooler. */
export const examineServers = (config: Config): Promise<DoctorFinding[]> =>
  over(config.DATABASE_URL, async (pool) => {
    const { POOL_SIZE, WORKERS, DATABASE_DIRECT_URL, DATABASE_READ_URL, STATEMENT_TIMEOUT_MS } = config;
    const direct = DATABASE_DIRECT_URL;
    const findings = direct
      ? await over(direct, (there) => examineDatabase(there, 0)).catch((error) => [
          unreached('direct address', 'DATABASE_DIRECT_URL')(error),
        ])
      : await examineDatabase(pool, (POOL_SIZE + bulkPoolSizeOf(config) + 1) * WORKERS);
    if (direct) {
      const pooled = checkPooledSettings({ pool } as Database, STATEMENT_TIMEOUT_MS).then(() => ok('pooler', 'the role has its settings'));
      findings.push(await pooled.catch((error: Error) => failed('pooler', 'the role lacks settings', error.message)));
    }
    if (config.PREPARED_STATEMENTS && !(await keepsNamedStatements(config.DATABASE_URL)))
      findings.push(
        warning('named statements', 'the pooler of DATABASE_URL loses them', 'Upgrade PgBouncer to 1.21, or set PREPARED_STATEMENTS=off.'),
      );
    const clusterUrl = direct || config.DATABASE_URL;
    findings.push(
      ...(await over(clusterUrl, (there) => examineNodes(clusterUrl, there, config.NODE_READS)).catch((error) => [
        unreached('Citus', 'DATABASE_URL')(error),
      ])),
    );
    for (const [index, url] of DATABASE_READ_URL.entries()) {
      const check = `replica ${index + 1}`;
      findings.push(await examineReplica(pool, url, check).catch(unreached(check, 'DATABASE_READ_URL')));
    }
    return findings;
  }).catch((error) => [unreached('PostgreSQL', 'DATABASE_URL')(error)]);

export const examineRedis = async (url: string): Promise<DoctorFinding[]> => {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: answersWithinMs,
    commandTimeout: answersWithinMs,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  let lost: Error | undefined;
  redis.on('error', (error) => {
    lost = error;
  });
  try {
    await redis.connect();
    const apart = await secondsAhead(async () => {
      const [seconds, micros] = await redis.time();
      return Number(seconds) * 1_000 + Number(micros) / 1_000;
    });
    const info = await redis.info();
    const fieldOf = (name: string) => new RegExp(`^${name}:(.*)$`, 'm').exec(info)?.[1]?.trim() ?? '';
    const policy = fieldOf('maxmemory_policy');
    const forgets = fieldOf('maxmemory') !== '0' && policy !== 'noeviction' && !policy.startsWith('volatile-ttl');
    return [
      forgets
        ? warning(
            'Redis',
            `forgets counts when it is full (${policy})`,
            'Set maxmemory-policy to noeviction or volatile-ttl, or give it more memory.',
          )
        : ok('Redis', fieldOf('redis_version')),
      clock('Redis clock', apart),
    ];
  } catch (error) {
    return [unreached('Redis', 'REDIS_URL')(lost ?? error)];
  } finally {
    redis.disconnect();
  }
};
