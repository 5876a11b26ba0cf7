/** Links in the project's documents lead to existing files and headings. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { catalogue } from '../../src/catalogue/index.ts';
import { lookups } from '../../src/catalogue/lookups.ts';
import { rawTables } from '../../src/catalogue/raw/index.ts';
import { dictionaryText } from '../../src/cli/connectors/dictionary.ts';

const root = new URL('../../', import.meta.url);
const documents = ['.', 'docs', 'docs/decisions', 'docs/guide'].flatMap((folder) =>
  readdirSync(new URL(folder, root))
    .filter((name) => name.endsWith('.md'))
    .map((name) => new URL(`${folder}/${name}`, root)),
);

/** Anchors of headings as GitHub generates them. */
const anchorsOf = (text: string): readonly string[] =>
  [...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

const linksOf = (text: string): readonly string[] =>
  [...text.replaceAll(/^```.*?^```/gms, '').matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = '']) => link)
    // Paths of the service are tested by other tests.
    .filter((link) => !link.includes('://') && !link.startsWith('/'));

describe.each(documents.map((document) => [document.pathname.slice(root.pathname.length), document] as const))('%s', (_, document) => {
  const text = readFileSync(document, 'utf8');

  test('has links with existing targets', () => {
    const astray = [...new Set(linksOf(text))].filter((link) => {
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? document : new URL(path, document);
      if (!existsSync(target)) return true;
      return anchor !== undefined && !anchorsOf(readFileSync(target, 'utf8')).includes(anchor);
    });
    expect(astray).toEqual([]);
  });
});

test('the dictionary has an entry for every table, raw table and code list', () => {
  const text = dictionaryText();
  const anchors = anchorsOf(text);
  expect(linksOf(text).filter((link) => !anchors.includes(link.slice(1)))).toEqual([]);
  expect(anchors.filter((anchor, index) => anchors.indexOf(anchor) !== index)).toEqual([]);
  expect(anchors).toEqual(
    expect.arrayContaining([
      ...catalogue.tables.keys(),
      ...Object.keys(rawTables).map((name) => `raw-${name}`),
      ...Object.keys(lookups).map((name) => `codes-${name}`),
    ]),
  );
});
