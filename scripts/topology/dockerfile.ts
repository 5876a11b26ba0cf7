/** Executes a Dockerfile without Docker: its build stage in a folder, and the environment and commands of its last stage. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';

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

/** Copies the named files of the project. Files from another stage are already in the folder. */
const copy = (text: string, folder: string): void => {
  if (text.startsWith('--from=')) return;
  const names = text.split(/\s+/);
  const target = names.pop() as string;
  for (const name of names)
    cpSync(name, target.endsWith('/') ? join(folder, target, basename(name)) : join(folder, target), { recursive: true });
};

/** Builds in an empty folder from the files that the Dockerfile copies. */
export const build = (dockerfile: string, folder: string): Image => {
  const [building = [], running = []] = stagesOf(dockerfile);
  for (const { name, text } of building) {
    if (name === 'COPY') copy(text, folder);
    if (name === 'RUN') execFileSync('sh', ['-c', text], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  }
  for (const { name, text } of running) if (name === 'COPY') copy(text, folder);
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
