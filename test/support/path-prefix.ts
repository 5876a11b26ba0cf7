/** The service behind a path prefix of a real proxy, with the rules of the operating guide (contract: public URL). */
import { readFileSync } from 'node:fs';
import { password } from '../portal/operator.ts';
import { hasHaproxy, startHaproxy } from './haproxy.ts';
import { hasNginx, startNginx } from './nginx.ts';
import { freePort } from './port.ts';
import { type ServiceOptions, startService, type TestService } from './service.ts';

/** The rules for a proxy in the operating guide. Its path prefix is `/estate`. */
const rulesOf = (language: string): string => {
  const [, rules] = new RegExp(`^\`\`\`${language}\\n([^\`]+)\`\`\`$`, 'm').exec(readFileSync('docs/operating.md', 'utf8')) ?? [];
  if (!rules) throw new Error(`docs/operating.md has no rules for ${language}`);
  return rules;
};

export interface PrefixedService {
  readonly service: TestService;
  /** The origin of the proxy, and the public URL. */
  readonly origin: string;
  readonly url: string;
  stop(): Promise<void>;
}

const starters = {
  nginx: (upstream: number, port: number) => startNginx(upstream, { port, rules: rulesOf('nginx') }),
  HAProxy: (upstream: number, port: number) => startHaproxy(upstream, { port, rules: rulesOf('haproxy') }),
} as const;

/** The proxies: nginx removes the prefix, HAProxy keeps it. */
export const prefixingProxies = (
  [
    ['nginx', hasNginx],
    ['HAProxy', hasHaproxy],
  ] as const
).flatMap(([name, isInstalled]) => (isInstalled ? [name] : []));

export const startPrefixed = async (
  name: keyof typeof starters,
  { environment, ...options }: ServiceOptions = {},
): Promise<PrefixedService> => {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const url = `${origin}/estate`;
  const settings = { PUBLIC_URL: url, TRUST_PROXY: '1', PORTAL_PASSWORD: password, ...environment };
  const service = await startService({ ...options, environment: settings });
  const proxy = await starters[name](service.port, port);
  return {
    service,
    origin,
    url,
    stop: async () => {
      await proxy.stop();
      await service.stop();
    },
  };
};
