/**
 * The attacker: a key with a scope asks two worlds that differ only in what the scope hides. A canary in an answer, or a difference between
 * the two answers, is a leak.
 */
import type { ScopeDefinition } from '../../src/catalogue/data-scope.ts';
import type { PersonalClass } from '../../src/catalogue/personal.ts';
import type { TestService } from '../support/service.ts';
import { keys } from '../support/settings.ts';
import { scopedKey } from './keys.ts';
import { type Question, Requests } from './requests.ts';
import { alter, type Hidden, sampleValues } from './worlds.ts';

export interface Case extends Hidden {
  readonly scope: ScopeDefinition;
}

const all: readonly PersonalClass[] = ['name', 'contact', 'bank', 'tax', 'birth'];

/** Property 1001 is the only one of its company and federal state. */
export const cases: Readonly<Record<string, Case>> = {
  'no personal data': { scope: { personal: [] }, classes: all, onlyProperty: undefined },
  'one property by its id': { scope: { properties: { ids: [1001] } }, classes: [], onlyProperty: 1001 },
  'one property in a long list of ids': {
    scope: { properties: { ids: [1001, ...Array.from({ length: 300 }, (_, index) => 900_000 + index)] } },
    classes: [],
    onlyProperty: 1001,
  },
  'a federal state, and contacts only': {
    scope: { personal: ['contact'], properties: { federal_states: ['NW'] } },
    classes: ['name', 'bank', 'tax', 'birth'],
    onlyProperty: 1001,
  },
  'a company, and no bank accounts': {
    scope: { personal: ['name', 'contact', 'tax', 'birth'], properties: { companies: ['10'] } },
    classes: ['bank'],
    onlyProperty: 1001,
  },
};

export interface Answered {
  readonly status: number;
  /** Status, headers and body without what differs between any two answers. */
  readonly told: string;
  readonly cursors: readonly string[];
  readonly etag: string | null;
}

const volatile = ['date', 'x-request-id', 'server-timing', 'connection', 'keep-alive', 'x-snapshot-at'];
const times = /"(?:generated_at|synced_at|changed_at|snapshot_at|age_seconds|instance)":(?:"[^"]*"|\d+|null)/g;

export const ask = async ({ url }: Pick<TestService, 'url'>, key: string, { method, path, body, headers }: Question): Promise<Answered> => {
  const response = await fetch(`${url}${path}`, { method, headers: { ...headers, 'X-API-Key': key }, ...(body !== undefined && { body }) });
  const text = await response.text();
  // Documents about the service have times and the address of the server.
  const isTimed = /^\/(?:me|changes|docs|raw\/tables)/.test(path);
  const left = isTimed ? [...volatile, 'etag', 'content-length'] : volatile;
  const heads = [...response.headers].filter(([name]) => !left.includes(name)).map(([name, value]) => `${name}: ${value}`);
  const shown = isTimed ? text.replaceAll(times, '').replaceAll(new URL(url).host, 'host') : text;
  const inBody = [...text.matchAll(/"(?:next_cursor|endCursor|startCursor)":"([^"]+)"/g)].map(([, cursor = '']) => cursor);
  const next = response.headers.get('x-next-cursor');
  return {
    status: response.status,
    told: `${response.status}\n${heads.join('\n')}\n${shown}`,
    cursors: next ? [next, ...inBody] : inBody,
    etag: response.headers.get('etag'),
  };
};

export interface Leak {
  readonly what: 'canary' | 'difference';
  readonly question: Question;
  readonly answers: readonly [string, string];
}

export interface Report {
  readonly asked: number;
  readonly statuses: Readonly<Record<string, number>>;
  readonly leak: Leak | undefined;
}

interface Worlds {
  readonly one: TestService;
  readonly other: TestService;
  /** The persisted documents of both. */
  readonly documents?: readonly string[];
}

const atOnce = 16;
const mostKept = 400;

/** Keeps the last values. */
const keep = (kept: string[], more: readonly string[]): void => {
  kept.push(...more);
  kept.splice(0, Math.max(0, kept.length - mostKept));
};

/** Hides what the case hides, differently in each world. */
export const separate = async ({ one, other }: Pick<Worlds, 'one' | 'other'>, hidden: Hidden): Promise<void> => {
  await alter(one, hidden, 'a');
  await alter(other, hidden, 'bcd');
};

/** Asks until a leak is found, or `count` times. A canary from a question does not count: an error may repeat what was asked. */
export const attack = async ({ one, other, documents = [] }: Worlds, { scope }: Case, count: number, seed: number): Promise<Report> => {
  const scoped = [await scopedKey(one, scope), await scopedKey(other, scope)] as const;
  const pool = { values: await sampleValues(one), cursors: [] as string[], etags: [] as string[], documents };
  const requests = new Requests(seed, pool);
  const statuses: Record<string, number> = {};
  let sent = 0;
  while (sent < count) {
    const questions = Array.from({ length: Math.min(atOnce, count - sent) }, () => requests.next());
    sent += questions.length;
    const leaks = await Promise.all(
      questions.map(async (question, index): Promise<Leak | undefined> => {
        // A key without a scope asks the same, twice, so that its answers are in the caches.
        let asked = question;
        if (index % 3 === 0) {
          for (let time = 0; time < 2; time++) {
            const [open] = await Promise.all([ask(one, keys.nordEnterprise, question), ask(other, keys.nordEnterprise, question)]);
            keep(pool.cursors, open.cursors);
            // The tag of a page names the address of its server, so it differs between the worlds.
            if (open.etag && index % 2 === 0 && !question.path.startsWith('/docs'))
              asked = { ...question, headers: { ...question.headers, 'If-None-Match': open.etag } };
          }
        }
        const [mine, theirs] = await Promise.all([ask(one, scoped[0], asked), ask(other, scoped[1], asked)]);
        statuses[mine.status] = (statuses[mine.status] ?? 0) + 1;
        keep(pool.cursors, mine.cursors);
        if (mine.etag && !question.path.startsWith('/docs')) keep(pool.etags, [mine.etag]);
        const isCanary = /canary/.test(mine.told + theirs.told) && !/canary/.test(question.path + (question.body ?? ''));
        if (!isCanary && mine.told === theirs.told) return undefined;
        return { what: isCanary ? 'canary' : 'difference', question: asked, answers: [mine.told, theirs.told] };
      }),
    );
    const leak = leaks.find((each) => each !== undefined);
    if (leak) return { asked: sent, statuses, leak };
  }
  return { asked: sent, statuses, leak: undefined };
};

/** The leak in a few lines: where two answers differ, or where the canary is. */
export const describeLeak = ({ what, question, answers: [one, other] }: Leak): string => {
  const differs = [...one].findIndex((letter, index) => letter !== other[index]);
  const at = what === 'canary' ? `${one}\n${other}`.indexOf('canary') : differs < 0 ? one.length : differs;
  const around = (text: string) => text.slice(Math.max(0, at - 150), at + 150);
  return [what, JSON.stringify(question), around(what === 'canary' ? `${one}\n${other}` : one), around(other)].join('\n');
};
