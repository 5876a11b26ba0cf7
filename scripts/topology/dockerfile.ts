/** Executes a Dockerfile without Docker: its build stage in a folder, and the environment and commands of its last stage. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { basename, join, relative } from 'node:path';

interface Instruction {
  readonly name: string;
  readonly text: string;
}

/** Instructions by stage, without comments and line continuations. */
const stagesOf = (dockerfile: string): readonly (readonly Instruction[])[] => {
  const stages: Instruction[][] = [];
  const lines = dockerfile
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n');
  for (const line of lines.filter(Boolean)) {
    const [, name = '', text = ''] = /^(\S+)\s+(.*)$/.exec(line) ?? [];
    if (name === 'FROM') stages.push([]);
    stages.at(-1)?.push({ name, text });
  }
  return stages;
};

export interface Image {
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly command: readonly string[];
  /** A shell command that succeeds while the service is healthy. */
  readonly healthcheck: string;
}

/** The files of a clone below a path, with uncommitted changes. */
const filesBelow = (path: string): readonly string[] =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z', '--', path], { encoding: 'utf8' })
    .split('\0')
    .filter((file) => file !== '' && existsSync(file));

/** Copies the named files of the project. Files from another stage are already in the folder. */
const copy = (text: string, folder: string): void => {
  if (text.startsWith('--from=')) return;
  const names = text.split(/\s+/);
  const target = names.pop() as string;
  for (const name of names) {
    const to = target.endsWith('/') ? join(folder, target, basename(name)) : join(folder, target);
    for (const file of filesBelow(name)) cpSync(file, join(to, relative(name, file)));
  }
};

/** Copies the files of all stages into an empty folder. */
export const copyFiles = (dockerfile: string, folder: string): void => {
  for (const { name, text } of stagesOf(dockerfile).flat()) if (name === 'COPY') copy(text, folder);
};

/** It is the cache of this machine, not of the image. */
const emptiesCache = 'npm cache clean --force';

/** Runs what the build stage does after the given commands, in the folder where these ran. */
export const completeImage = (dockerfile: string, folder: string, done: readonly string[]): Image => {
  const [building = [], running = []] = stagesOf(dockerfile);
  const commands = building.filter(({ name }) => name === 'RUN').flatMap(({ text }) => text.split(/\s*&&\s*/));
  const left = commands.filter((command) => command !== emptiesCache);
  assert.deepEqual(left.splice(0, done.length), done, 'the Dockerfile builds by the commands of the README');
  for (const command of left) execFileSync('sh', ['-c', command], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  mkdirSync(join(folder, 'path'));
  symlinkSync(join(folder, 'bin/estate.js'), join(folder, 'path/estate'));
  const last = (name: string) => running.findLast((instruction) => instruction.name === name)?.text ?? '';
  const variables = last('ENV')
    .split(/\s+/)
    .map((pair) => pair.split('=', 2) as [string, string]);
  return {
    folder,
    environment: { ...Object.fromEntries(variables), PATH: `${join(folder, 'path')}:${process.env.PATH}` },
    command: JSON.parse(last('CMD')),
    healthcheck: last('HEALTHCHECK').replace(/^.*? CMD /, ''),
  };
};
