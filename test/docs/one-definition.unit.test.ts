/** No module repeats an exported definition of another module. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const paths = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));

/** Exported definitions, each up to the next blank line. */
const definitionsIn = (text: string): string[] =>
  [...text.matchAll(/^export (?:const|interface|type|class) [\s\S]*?(?=\n\n|\n\/\*\*|$(?![\s\S]))/gm)].map(([definition]) =>
    definition.replaceAll(/\s+/g, ' ').trim(),
  );

test('no exported definition occurs twice', () => {
  const places = new Map<string, string[]>();
  for (const path of paths)
    for (const definition of definitionsIn(readFileSync(`src/${path}`, 'utf8')))
      places.set(definition, [...(places.get(definition) ?? []), path]);
  expect(places.size).toBeGreaterThan(500);
  expect([...places].filter(([, found]) => found.length > 1)).toEqual([]);
});
