/** Documents, comments and test titles are plain English: short sentences, and the terms of the glossary. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const root = new URL('../../', import.meta.url);
const bounds = { average: 20, sentence: 40, terms: 40 };

/** Written from the catalogue and from package-lock.json. */
const generated = ['docs/licences.md'];

/** Documents that may exceed the bounds, each with the reason. */
const exceptions: Readonly<Record<string, string>> = {};

/** Terms that the glossary replaces, and phrases that need a second reading. */
const replaced = [
  'under way',
  'broken off',
  'the collector',
  'whoever',
  'anew',
  'told',
  'is asked',
  'asked for',
  'what there is',
  'nothing is left',
  'stands? (?:in|at|for|beside|behind|still)',
  'in its turn',
  'its processor',
  'the floor',
  'goes on working',
  'of (?:its|their) own accord',
];

/** This file names the phrases. */
const own = 'test/docs/plain-english.unit.test.ts';

/** Parts of the project whose comments and test titles are checked. */
const folders = ['bench', 'demo', 'examples', 'scripts', 'src', 'test'];

/** The descriptions of both interfaces. */
const descriptions = ['schema.graphql', 'test/goldens/openapi.json'];

const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');

const files = (folder: string, pattern: RegExp): readonly string[] =>
  readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
    .filter((name) => pattern.test(name) && !name.includes('generated'))
    .map((name) => `${folder}/${name}`)
    .sort();

const documents = ['README.md', 'CONTRIBUTING.md', ...files('docs', /\.md$/)].filter((path) => !generated.includes(path));

/** The text without code blocks and without the parts that a command writes. */
const written = (text: string): string =>
  text.replaceAll(/<!-- [^>]*written by .*?<!-- (?:end|\/settings) -->/gs, '').replaceAll(/^```.*?^```/gms, '');

/** Paragraphs and list items as one line each. Headings, tables and images are no prose; inline code counts as one word. */
const paragraphsOf = (text: string): readonly string[] =>
  written(text)
    .replaceAll(/<!--.*?-->/gs, '')
    .replaceAll(/^(?:#|\||!\[).*$/gm, '')
    .replaceAll(/`[^`]+`/g, 'code')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .split(/\n\s*\n|\n\s*(?=(?:[-*]|\d+\.) )/)
    .map((paragraph) =>
      paragraph
        .replaceAll(/\s+/g, ' ')
        .replace(/^ ?(?:[-*]|\d+\.) /, '')
        .trim(),
    )
    .filter((paragraph) => paragraph !== '');

const sentencesOf = (text: string): readonly string[] => paragraphsOf(text).flatMap((paragraph) => paragraph.split(/(?<=[.!?][)"']?) /));

const replacedIn = (text: string): readonly string[] => {
  const line = text.toLowerCase().replaceAll(/\s+(?:\*|\/\/)?\s*/g, ' ');
  return replaced.filter((phrase) => new RegExp(`\\b${phrase}\\b`).test(line));
};

/** The comments of a source file. */
const commentsIn = (source: string): readonly string[] => source.match(/\/\*[\s\S]*?\*\/|(?<=^|[\s;])\/\/ .*(?:\n\s*\/\/ .*)*/g) ?? [];

/** The titles of a file's tests. */
const titlesIn = (source: string): readonly string[] =>
  [...source.matchAll(/(?:\b(?:test|describe)(?:\.\w+)*|\))\(\s*(['"`])((?:(?!\1).)+)\1,/g)].map(([, , title]) => title!);

const wordsIn = (sentence: string): number => (sentence.match(/\S*[\p{L}\p{N}]\S*/gu) ?? []).length;

test('sentences are counted in prose alone', () => {
  const text =
    '# A heading\n\nOne `a b` two.\nThree\nfour?\n\n| a | table |\n\n```sh\ncode here\n```\n\n- An item\n- [Another one](x.md)\n';
  expect(sentencesOf(text).map((sentence) => [sentence, wordsIn(sentence)])).toEqual([
    ['One code two.', 3],
    ['Three four?', 2],
    ['An item', 2],
    ['Another one', 2],
  ]);
});

describe.each(documents.filter((path) => !(path in exceptions)))('%s', (path) => {
  const sentences = sentencesOf(read(path));

  test(`has at most ${bounds.average} words per sentence on average`, () => {
    const words = sentences.map(wordsIn).reduce((sum, count) => sum + count, 0);
    expect(words / Math.max(1, sentences.length)).toBeLessThanOrEqual(bounds.average);
  });

  test(`has no sentence of more than ${bounds.sentence} words`, () => {
    expect(sentences.filter((sentence) => wordsIn(sentence) > bounds.sentence)).toEqual([]);
  });

  test('uses no term that the glossary replaces', () => {
    expect(replacedIn(written(read(path)))).toEqual([]);
  });
});

test('comments and titles are found', () => {
  const source = "/** One. */\n// Two\n// lines.\nconst url = 'http://x'; // Three.\ntest.each([1])('a title', () => {});";
  expect(commentsIn(source)).toEqual(['/** One. */', '// Two\n// lines.', '// Three.']);
  expect(titlesIn(source)).toEqual(['a title']);
  expect(replacedIn('/** What\n * is\n * asked. */')).toEqual(['is asked']);
});

test.each(folders)('comments and test titles in %s use no replaced phrase', (folder) => {
  const found = files(folder, /\.(?:ts|tsx|js|mjs)$/)
    .filter((path) => path !== own)
    .flatMap((path) => {
      const source = read(path);
      return [...commentsIn(source), ...titlesIn(source)].filter((text) => replacedIn(text).length > 0).map((text) => `${path}: ${text}`);
    });
  expect(found).toEqual([]);
});

test.each(descriptions)('%s uses no replaced phrase', (path) => {
  // A building has floors.
  expect(replacedIn(read(path)).filter((phrase) => phrase !== 'the floor')).toEqual([]);
});

test('the exceptions are documents', () => {
  expect(Object.keys(exceptions).filter((path) => !documents.includes(path))).toEqual([]);
});

test(`the glossary has at most ${bounds.terms} terms, each once`, () => {
  const terms = [...read('docs/glossary.md').matchAll(/^\| (?!term \|)([^|-][^|]*) \|/gm)].map(([, term]) => term);
  expect(new Set(terms).size).toBe(terms.length);
  expect(terms.length).toBeGreaterThan(20);
  expect(terms.length).toBeLessThanOrEqual(bounds.terms);
});
