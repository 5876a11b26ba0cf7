/** `docker compose up` takes every setting from its environment, and finds the files that it needs. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { readConfig, settings } from '../../src/config.ts';
import { testSecret } from '../support/settings.ts';

/** Settings that the compose file fixes: the database and internal addresses. */
const fixed = ['DATABASE_URL', 'DATABASE_READ_URL', 'REDIS_URL', 'DATA_DIR', 'HOST', 'PORT'];
const { services } = parse(readFileSync('docker-compose.yml', 'utf8'), { merge: true });

test.each(['estate-1', 'estate-2', 'demo'])('every setting is passed to %s', (service) => {
  const environment: Record<string, string> = services[service].environment;
  expect(Object.keys(environment).sort()).toEqual(Object.keys(settings).sort());
  for (const name of Object.keys(settings).filter((name) => !fixed.includes(name)))
    expect(environment[name]).toMatch(new RegExp(`^\\$\\{${name}:${name === 'KEY_SECRET' ? '\\?' : '-'}[^}]*\\}$`));
});

test('without an environment it is a service with all defaults, behind one proxy', () => {
  const values = Object.entries<string | number>(services['estate-1'].environment).map(([name, value]) => [
    name,
    name === 'KEY_SECRET' ? testSecret : String(value).replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1'),
  ]);
  expect(readConfig(Object.fromEntries(values))).toMatchObject({
    PORT: 8080,
    RATE_LIMIT: 500,
    VERSION_FEED: 'listen',
    TRUST_PROXY: 1,
    METRICS_PORT: 9464,
    DATABASE_READ_URL: ['postgres://estate:estate@replica:5432/estate'],
    PORTAL_PASSWORD: '',
  });
});

test.each(['docker-compose.yml', 'ops/docker-compose.citus.yml'])('%s builds the image of the Dockerfile', (path) => {
  const compose: { readonly services: Record<string, { readonly build?: string }> } = parse(readFileSync(path, 'utf8'), { merge: true });
  const contexts = Object.values(compose.services).flatMap(({ build }) => (build === undefined ? [] : [join(dirname(path), build)]));
  expect(contexts.length).toBeGreaterThan(0);
  for (const context of contexts) expect(existsSync(join(context, 'Dockerfile'))).toBe(true);
});
