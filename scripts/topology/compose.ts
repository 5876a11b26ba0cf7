/** The services of docker-compose.yml, and their health checks on this machine. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { parse } from 'yaml';

export interface Service {
  readonly environment: Readonly<Record<string, string>>;
  readonly command?: readonly string[];
  readonly healthcheck?: { readonly test: readonly string[]; readonly retries: number };
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
}

export const names = ['postgres', 'replica', 'redis', 'demo', 'estate-1', 'estate-2', 'haproxy'] as const;
export type Services = Readonly<Record<(typeof names)[number], Service>>;

/** The file as Compose reads it: variables have their defaults, and the required secret is made here. */
export const readCompose = (): Services => {
  const secret = randomBytes(32).toString('hex');
  const withDefaults = (_name: unknown, value: unknown) =>
    typeof value === 'string' ? value.replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1').replaceAll(/\$\{KEY_SECRET:\?[^}]*\}/g, () => secret) : value;
  return parse(readFileSync('docker-compose.yml', 'utf8'), withDefaults, { merge: true }).services;
};

export const run = promisify(execFile);

/** Repeats a health check until it passes, at most as often as it allows. */
export const healthy = async (name: string, ask: () => Promise<unknown>, retries = 30): Promise<void> => {
  for (let attempt = 1; ; attempt++) {
    const failure = await ask().then(
      () => undefined,
      (error: unknown) => error ?? new Error('unhealthy'),
    );
    if (!failure) return console.log(`${name} is healthy`);
    if (attempt === retries) throw failure;
    await pause(1_000);
  }
};

/** The health check of a service's container, on a port of this machine. */
export const checkOf = ({ healthcheck }: Service, port: number, more: Readonly<Record<string, string>> = {}) => {
  const [, name = '', ...args] = healthcheck?.test ?? [];
  const env = { ...process.env, PGHOST: '127.0.0.1', PGPORT: `${port}`, ...more };
  return () => run(name, name === 'redis-cli' ? ['-p', `${port}`, ...args] : args, { env });
};
