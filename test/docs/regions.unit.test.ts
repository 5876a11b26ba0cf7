/** The scrollable regions of the guide have names of their own, as assistive technology lists them. */
import { expect, test } from 'vitest';
import { catalogue } from '../../src/catalogue/index.ts';
import { changelogArticle, guideArticle, guidePages } from '../../src/web/docs/guide.ts';
import { articleOf } from '../../src/web/docs/markdown.ts';
import { limits } from './limits.ts';

const regionsOf = (html: string): string[] => [...html.matchAll(/role="region" aria-label="([^"]*)"/g)].map(([, name = '']) => name);

test.each([...guidePages, 'changelog'])('%s has regions with different names', (name) => {
  const article = name === 'changelog' ? changelogArticle() : guideArticle(name, catalogue, limits);
  const names = regionsOf(article.body.text);
  expect(names).toEqual([...new Set(names)]);
  for (const each of names) expect(each).not.toBe('');
});

test('a region is named by its heading, and counted if the heading has several', () => {
  const table = '| a |\n|---|\n| 1 |\n\n';
  const text = `# Page\n\n${table}## \`codes\` & names\n\n${table}text\n\n${table}### Part\n\n${table}## Part\n\n${table}`;
  expect(regionsOf(articleOf(text).body.text)).toEqual([
    'Page',
    'codes &amp; names',
    'codes &amp; names, table 2',
    'Part',
    'Part, table 2',
  ]);
});
