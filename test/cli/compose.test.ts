/** `docker compose up` takes every setting from its environment. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { readConfig, settings } from '../../src/config.ts';

/** What the containers among themselves decide: their database and their addresses. */
const fixed = ['DATABASE_URL', 'DATA_DIR', 'HOST', 'PORT'];
const { services } = parse(readFileSync('docker-compose.yml', 'utf8'), { merge: true });

test.each(['estate', 'demo'])('every setting is passed to %s', (service) => {
  const environment: Record<string, string> = services[service].environment;
  expect(Object.keys(environment).sort()).toEqual(Object.keys(settings).sort());
  for (const name of Object.keys(settings).filter((name) => !fixed.includes(name)))
    expect(environment[name]).toMatch(new RegExp(`^\\$\\{${name}:-[^}]*\\}$`));
});

test('as it stands it is a service with all its defaults', () => {
  const values = Object.entries<string | number>(services.estate.environment).map(([name, value]) => [
    name,
    String(value).replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1'),
  ]);
  expect(readConfig(Object.fromEntries(values))).toMatchObject({
    PORT: 8080,
    RATE_LIMIT: 500,
    VERSION_FEED: 'listen',
    PORTAL_PASSWORD: '',
  });
});
