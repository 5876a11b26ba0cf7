/**
 * Behind a real proxy, an address in a header does not give a client another identity (contract: requests without a key; client address).
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Operator, password } from '../portal/operator.ts';
import { recordedLog } from '../support/log.ts';
import { hasNginx, nginxAddress, startNginx } from '../support/nginx.ts';
import { startService, type TestService } from '../support/service.ts';
import { keys } from '../support/settings.ts';

const limit = 30;

describe.skipIf(!hasNginx).each(['1', 'true', nginxAddress, `10.0.0.0/8,${nginxAddress}/32`])(
  'TRUST_PROXY=%s (skipped only if nginx is not installed)',
  (TRUST_PROXY) => {
    const log = recordedLog();
    let service: TestService;
    let nginx: Awaited<ReturnType<typeof startNginx>>;

    beforeAll(async () => {
      service = await startService({
        environment: { PORTAL_PASSWORD: password, RATE_LIMIT: String(limit), TRUST_PROXY },
        logger: log.logger,
      });
      nginx = await startNginx(service.port);
    });
    afterAll(async () => {
      await nginx.stop();
      await service.stop();
    });

    let last = 0;
    const forged = (): Record<string, string> => ({ 'X-Forwarded-For': `198.51.100.${++last % 250}` });

    test('wrong passwords with ever new addresses lock out the real address', async () => {
      const statuses = [];
      const { token = '' } = await new Operator(nginx).hidden('/portal/sign-in');
      expect(token).not.toBe('');
      for (let attempt = 0; attempt < 8; attempt++) {
        const operator = new Operator(nginx, forged());
        statuses.push((await operator.submit('/portal/sign-in', { password: 'a wrong one' })).status);
      }
      expect(statuses).toEqual([403, 403, 403, 403, 403, 429, 429, 429]);
    });

    test('requests without a key with ever new addresses use up one bucket', async () => {
      let status = 401;
      for (let request = 0; request <= limit && status === 401; request++)
        ({ status } = await fetch(`${nginx.url}/catalog`, { headers: forged() }));
      expect(status).toBe(429);
      // A valid key still works.
      expect((await fetch(`${nginx.url}/catalog`, { headers: { ...forged(), 'X-API-Key': keys.nordBasic } })).status).toBe(200);
    });

    test('the log has the address that nginx saw', () => {
      expect(new Set(log.requests().map(({ address }) => address))).toEqual(new Set(['127.0.0.1']));
      expect(log.texts.join('')).not.toContain('198.51.100');
    });
  },
);
