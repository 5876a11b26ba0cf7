/** Messages of loads, as the portal shows them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inPortalWords } from '../../src/sources/outside/portal-words.ts';

/** Messages that no upload can cause: it has no option, no database and no manifest. */
const others = ['files/manifest.ts', 'readers/database.ts', 'unread.ts', 'outside/reading-process.ts', 'prepare-load.ts', 'source-file.ts'];

test('no message of an upload names an option of the command line', () => {
  const files = ['src/sync', 'src/sources'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !others.some((other) => name.endsWith(other)) && !name.endsWith('portal-words.ts'))
      .map((name) => readFileSync(join(folder, name), 'utf8')),
  );
  // Values of a template are words here. The guards write an option and its table apart.
  const messages = files
    .flatMap((text) =>
      [...text.matchAll(/(['"`])((?:(?!\1)[^\\\n]|\\.)*\s--[a-z](?:(?!\1)[^\\\n]|\\.)*)\1/g)].map(([, , words = '']) => words),
    )
    .map((words) => words.replaceAll(/\$\{[^}]*\}/g, 'x'))
    // A shorter text is a name.
    .filter((words) => words.length > 30);
  expect(messages.length).toBeGreaterThanOrEqual(4);
  for (const words of messages) expect(inPortalWords(words)).not.toMatch(/ --[a-z]/);
});

test('what a person confirms in the portal is named as such', () => {
  expect(inPortalWords('person: the load would delete 12 of 20 rows. To allow it: --allow-deletes person')).toBe(
    'person: the load would delete 12 of 20 rows. The page of the load asks for it',
  );
  expect(inPortalWords('The delivery is held. If it is right: --accept')).toBe(
    'The delivery is held. If it is right: the page of the load asks for it.',
  );
});
