/** The projects of vitest.config.ts have every test file once, and `.ci/run` runs all of them. */
import { readdirSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { createVitest } from 'vitest/node';

const scripts: Readonly<Record<string, string>> = JSON.parse(readFileSync('package.json', 'utf8')).scripts;
const files = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.test.ts'))
  .map((path) => `test/${path}`);
const projectsOf = new Map<string, string[]>();
beforeAll(async () => {
  const vitest = await createVitest('test', { watch: false, reporters: [] });
  for (const { moduleId, project } of await vitest.globTestSpecifications()) {
    const path = relative('.', moduleId);
    projectsOf.set(path, [...(projectsOf.get(path) ?? []), project.name]);
  }
  await vitest.close();
});

const projectsOfText = (text: string): readonly string[] => [...text.matchAll(/--project (\w+)/g)].map(([, project = '']) => project);
/** The projects of a script of package.json. */
const projectsIn = (name: string): readonly string[] => projectsOfText(scripts[name]!);

test('each test file is in one project', () => {
  expect(files.length).toBeGreaterThan(200);
  expect(files.filter((path) => projectsOf.get(path)?.length !== 1)).toEqual([]);
});

test('`.ci/run` has a command for each project', () => {
  const gate = readFileSync('.ci/run', 'utf8');
  const named = [...gate.matchAll(/npm (?:run )?(test[:\w]*)/g)].flatMap(([, name = '']) => projectsIn(name));
  expect(new Set([...named, ...projectsOfText(gate)])).toEqual(new Set([...projectsOf.values()].flat()));
});

test('`npm test` has a file of each room, and `npm run test:all` has all of its files', () => {
  const projects = projectsIn('test');
  const roomOf = (path: string) => path.split('/')[1];
  // These need more than the project and Node.
  const apart = ['browser', 'faults'];
  const rooms = files.map(roomOf).filter((room) => !apart.includes(room!));
  const tested = files.filter((path) => projects.includes(projectsOf.get(path)![0]!)).map(roomOf);
  expect(new Set(tested)).toEqual(new Set(rooms));
  expect(projectsIn('test:all')).toEqual(expect.arrayContaining([...projects]));
});

test('what is only tested on the embedded database is in `npm test`', () => {
  const onlyEmbedded = /skipIf\(onServer\)|runIf\(!onServer\)|if \(!onServer\) \{/;
  const left = files.filter((path) => projectsOf.get(path)![0] === 'service' && onlyEmbedded.test(readFileSync(path, 'utf8')));
  expect(left).toEqual([]);
});
