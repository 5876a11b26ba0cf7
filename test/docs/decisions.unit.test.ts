/** Decision records are short, have the same sections, are listed, and name existing files. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const folder = 'docs/decisions';
const maxWords = 250;
const sections = ['Context', 'Decision', 'Alternatives', 'Effect', 'Date'];

const records = new Map(
  readdirSync(folder)
    .filter((name) => /^\d/.test(name))
    .map((name) => [name, readFileSync(`${folder}/${name}`, 'utf8')]),
);
const list = readFileSync(`${folder}/README.md`, 'utf8');
const isSuperseded = (text: string): boolean => text.includes('**Superseded**');

/** Marks of headings, lists and tables are not words. */
const wordsIn = (text: string): number => (text.match(/\S*[\p{L}\p{N}]\S*/gu) ?? []).length;

const failing = (isRight: (text: string, name: string) => boolean): readonly string[] =>
  [...records].filter(([name, text]) => !isRight(text, name)).map(([name]) => name);

test('words are counted without marks', () => {
  expect(wordsIn('## Two words\n\n- and three `more_of` them\n|---|\n')).toBe(6);
});

test(`no record has more than ${maxWords} words`, () => {
  expect(failing((text) => wordsIn(text) <= maxWords)).toEqual([]);
});

test('records have the same sections in one order', () => {
  const sectionsOf = (text: string) => [...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
  expect(failing((text) => sectionsOf(text).join() === sections.join())).toEqual([]);
});

test('the list has every record once, with its title', () => {
  const lines = [...records].map(([name, text]) => {
    const [, title] = /^# (.+)$/m.exec(text)!;
    return `- [${name.slice(0, 3)}](${name}) ${title}${isSuperseded(text) ? ' (superseded)' : ''}`;
  });
  expect([...list.matchAll(/^- .+$/gm)].map(([line]) => line).sort()).toEqual(lines.sort());
});

test('a superseded record names its successor', () => {
  expect(
    failing((text, name) => !isSuperseded(text) || [...records.keys()].some((other) => other !== name && text.includes(`(${other})`))),
  ).toEqual([]);
});

test('the files that a record names exist', () => {
  const files = ['bench', 'demo', 'docs', 'scripts', 'src', 'test'].flatMap((root) =>
    readdirSync(root, { recursive: true, encoding: 'utf8' }).map((path) => `/${root}/${path}`),
  );
  const missing = [...records].flatMap(([name, text]) =>
    [...text.matchAll(/`([\w./-]+\.(?:ts|tsx|mjs))`/g)]
      .filter(([, path]) => !files.some((file) => file.endsWith(`/${path}`)))
      .map(([, path]) => `${name}: ${path}`),
  );
  expect(missing).toEqual([]);
});

test('every override of a dependency has a reason and an end, and no other is named', () => {
  const { overrides } = JSON.parse(readFileSync('package.json', 'utf8'));
  const rows = [...records.get('095-dependencies-wait-for-node.md')!.matchAll(/^\| (`[^|]+) \| [^|]+ \| [^|]+ \|$/gm)];
  const named = rows.flatMap(([, entries = '']) => [...entries.matchAll(/`([^`]+)`/g)].map(([, name]) => name));
  expect(named.sort()).toEqual(Object.keys(overrides).sort());
});
