/** Documents are plain English: short sentences, and the terms of the glossary. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const root = new URL('../../', import.meta.url);
const bounds = { average: 20, sentence: 45, terms: 40 };

/** Written from the catalogue and from package-lock.json. */
const generated = ['docs/dictionary.md', 'docs/licences.md'];

/** Documents that may exceed the bounds, each with the reason. */
const exceptions: Readonly<Record<string, string>> = {};

/** Terms that the glossary replaces. */
const replaced = ['under way', 'broken off', 'the collector', 'whoever', 'anew', 'told'];

const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');

const documents = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(new URL('docs', root), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`)
    .sort(),
].filter((path) => !generated.includes(path));

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
    const text = written(read(path)).toLowerCase().replaceAll(/\s+/g, ' ');
    expect(replaced.filter((term) => new RegExp(`\\b${term}\\b`).test(text))).toEqual([]);
  });
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
