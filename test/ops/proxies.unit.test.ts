/** The shipped proxies let a request for changes wait as long as it may (contract: waiting for changes). */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { waitLimit } from '../../src/query/parameters.ts';

test.each([
  ['ops/haproxy.cfg', /timeout server (\d+)s/, /use_backend waiting if \{ path,url_dec -m str \/changes \}/],
  ['ops/nginx.conf', /proxy_read_timeout (\d+)s/, /location = \/changes \{\s*proxy_pass http:\/\/estate_waiting;/],
])('%s', (file, limit, backend) => {
  const text = readFileSync(file, 'utf8');
  // The read before the wait, and the way back.
  expect(Number(limit.exec(text)?.[1])).toBeGreaterThanOrEqual(waitLimit.max + 20);
  expect(text).toMatch(backend);
});
