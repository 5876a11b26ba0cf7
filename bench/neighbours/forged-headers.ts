/** Requests without a key whose headers name the service in another way. Every text would be a page of its own if an answer had them. */
import type { Attack } from './attack.ts';

/** As a replacement, each pair is the rest of the text. */
const replacement = "$'".repeat(2_048);
const hosts = (turn: number) => `h${turn}.example`;

export const forgedHeaders: readonly Attack[] = [
  ...['/docs/groups', '/llms.txt'].map((path) => ({
    name: `${path} with a replacement of 4 KB as the protocol`,
    path,
    openHeaders: () => ({ 'X-Forwarded-Proto': replacement }),
  })),
  {
    name: 'pages under ever new hosts',
    path: '/docs/tables/orders',
    openHeaders: (turn) => ({ Host: hosts(turn), 'X-Forwarded-Host': hosts(turn), 'Accept-Encoding': 'br' }),
  },
];
