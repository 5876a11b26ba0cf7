/** Each citation `(contract: name; name)` names headings of docs/contract.md. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const root = new URL('../../', import.meta.url);
const folders = ['bench', 'demo', 'docs', 'examples', 'scripts', 'src', 'test'];
const own = 'test/docs/contract.unit.test.ts';
const isText = (path: string) => /\.(ts|tsx|mjs|js|json|md|sql|graphql|yaml|yml)$/.test(path);

const paths = folders.flatMap((folder) =>
  readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
    .filter(isText)
    .map((path) => `${folder}/${path}`),
);
const texts = new Map(paths.map((path) => [path, readFileSync(new URL(path, root), 'utf8')]));

/** Headings below the title: groups and rules. */
const headings = [...(texts.get('docs/contract.md') ?? '').matchAll(/^#{2,3} (.+)$/gm)].map(([, name = '']) => name);

/** A citation, also across lines. Comment markers at the start of lines are not part of it. */
const citation = /\(contract: ([^)]+)\)/g;
const namesIn = (text: string) =>
  [...text.replaceAll(/\n\s*(?:\*(?!\/)|\/\/|--|#)?\s*/g, ' ').matchAll(citation)].flatMap(([, names = '']) => names.split('; '));

describe('the contract', () => {
  test('has each name once', () => {
    expect(headings.length).toBeGreaterThan(50);
    expect(headings.filter((name, index) => headings.indexOf(name) !== index)).toEqual([]);
  });

  test('has every cited rule', () => {
    const astray = [...texts].flatMap(([path, text]) =>
      namesIn(text)
        .filter((name) => !headings.includes(name) && path !== own)
        .map((name) => `${path}: ${name}`),
    );
    expect(astray).toEqual([]);
  });

  test('a citation across lines is found, and unknown names are reported', () => {
    expect(namesIn(' * read once (contract: order of\n * checks; made up)')).toEqual(['order of checks', 'made up']);
    expect(headings).not.toContain('made up');
  });

  test('is cited by name only', () => {
    const numbered = /\bsemantics\s+\d|\(specification\b/i;
    expect([...texts].filter(([path, text]) => path !== own && numbered.test(text)).map(([path]) => path)).toEqual([]);
  });
});
