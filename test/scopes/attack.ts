/**
 * The attacker: a key with a scope asks two worlds that differ only in what the scope hides. A canary in an answer, or a difference between
 * the two answers, is a leak.
 */
import { QuestionStore } from '../../src/access/questions.ts';
import type { ScopeDefinition } from '../../src/catalogue/data-scope.ts';
import type { PersonalClass } from '../../src/catalogue/personal.ts';
import { categories } from '../../src/catalogue/tiers.ts';
import { Random } from '../support/random.ts';
import type { TestService } from '../support/service.ts';
import { type Answered, ask } from './answers.ts';
import type { KnownPage } from './guesses.ts';
import { keyForAll } from './keys.ts';
import { type Interface, interfaces, type Question, questionCount, questionName, Requests } from './requests.ts';
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
/** About a tenth of the requests reads files, so each file is requested once or twice. */
const requestsPerFile = 16;
const maxFiles = 30;

/** Keeps the last values. */
const keep = <T>(kept: T[], more: readonly T[]): void => {
  kept.push(...more);
  kept.splice(0, Math.max(0, kept.length - mostKept));
};

const categoryPage = new RegExp(`^(?:/v1)?/(?:${Object.keys(categories).join('|')})/[a-z_]+\\?`);

/** A category page with a next page. */
export const nextPages = ({ method, path }: Question, { cursors: [cursor] }: Answered): readonly KnownPage[] =>
  method === 'GET' && cursor !== undefined && categoryPage.test(path) ? [{ path, cursor }] : [];

/** Hides what the case hides, differently in each world. */
export const separate = async ({ one, other }: Pick<Worlds, 'one' | 'other'>, hidden: Hidden): Promise<void> => {
  await alter(one, hidden, 'a');
  await alter(other, hidden, 'bcd');
};

/** Saves the same questions in both worlds. The list of questions shows their text, so it contains no hidden values. */
export const saveQuestions = async ({ one, other }: Pick<Worlds, 'one' | 'other'>, seed: number): Promise<void> => {
  const requests = new Requests(seed, { values: await sampleValues(one), cursors: [], etags: [] });
  const texts = requests
    .questions(4 * questionCount)
    .filter((text) => !text.includes('canary'))
    .slice(0, questionCount);
  for (const world of [one, other]) {
    const store = new QuestionStore(world.database);
    for (const [index, document] of texts.entries()) await store.add({ name: questionName(index), document }, undefined);
  }
};

/**
 * Chooses files of a key without a scope, and builds them for each key that may read them. Then the list of files no longer depends on what was
 * asked before.
 */
const buildFiles = async (services: readonly Keyed[], count: number, seed: number): Promise<readonly string[]> => {
  const listed = async ({ service, key }: Keyed): Promise<readonly string[]> => {
    const { told } = await ask(service, key, { method: 'GET', path: '/files' });
    return [...told.matchAll(/"endpoint_url":"([^"]+)"/g)].map(([, path = '']) => path);
  };
  const random = new Random(seed);
  const all = await listed(services[0]!);
  const files = Array.from({ length: count }, () => random.oneOf(all));
  await Promise.all(
    services.map(async (each) => {
      const readable = new Set(await listed(each));
      for (const path of files) if (readable.has(path)) await ask(each.service, each.key, { method: 'GET', path });
    }),
  );
  return files;
};

interface Keyed {
  readonly service: TestService;
  readonly key: string;
}

interface AttackOptions {
  /** The maximum number of requests. */
  readonly count: number;
  readonly seed: number;
  /** The interfaces to ask; absent: all. */
  readonly only?: readonly Interface[] | undefined;
}

/** Asks until a leak is found. A canary from a question does not count: an error may repeat what was asked. */
export const attack = async (
  { one, other, documents = [] }: Worlds,
  { scope }: Case,
  { count, seed, only = interfaces }: AttackOptions,
): Promise<Report> => {
  const scoped = [await keyForAll(one, scope), await keyForAll(other, scope)] as const;
  const open = [await keyForAll(one, null), await keyForAll(other, null)] as const;
  if (only.includes('questions')) await saveQuestions({ one, other }, seed);
  const keyed = [open, scoped].flatMap((keys) => [one, other].map((service, at): Keyed => ({ service, key: keys[at]! })));
  const files = only.includes('files') ? await buildFiles(keyed, Math.min(maxFiles, Math.ceil(count / requestsPerFile)), seed) : [];
  const pool = {
    values: await sampleValues(one),
    cursors: [] as string[],
    etags: [] as string[],
    pages: [] as KnownPage[],
    documents,
    files,
  };
  const requests = new Requests(seed, pool, only);
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
            const [whole] = await Promise.all([ask(one, open[0], question), ask(other, open[1], question)]);
            keep(pool.cursors, whole.cursors);
            // The tag of a page names the address of its server, so it differs between the worlds.
            if (whole.etag && index % 2 === 0 && !question.path.startsWith('/docs'))
              asked = { ...question, headers: { ...question.headers, 'If-None-Match': whole.etag } };
          }
        }
        const [mine, theirs] = await Promise.all([ask(one, scoped[0], asked), ask(other, scoped[1], asked)]);
        statuses[mine.status] = (statuses[mine.status] ?? 0) + 1;
        keep(pool.cursors, mine.cursors);
        keep(pool.pages, nextPages(question, mine));
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
