/** Commands that run one of several scripts: `npm run bench -- page`. */
import { resolve } from 'node:path';

/** A script by its name: its file, and what it does. */
export type NamedScripts = Readonly<Record<string, readonly [file: string, purpose: string]>>;

/** Runs the script that the first argument names, with the arguments after it. Prints the list if there is none of this name. */
export const runNamedScript = async (scripts: NamedScripts, before: () => void = () => {}): Promise<void> => {
  const [name = '', ...rest] = process.argv.slice(2);
  if (!Object.hasOwn(scripts, name)) {
    const width = Math.max(...Object.keys(scripts).map(({ length }) => length));
    console.error(
      Object.entries(scripts)
        .map(([known, [, purpose]]) => `  ${known.padEnd(width)}  ${purpose}`)
        .join('\n'),
    );
    process.exitCode = name === '' ? 0 : 1;
    return;
  }
  const file = resolve(scripts[name]![0]);
  before();
  process.argv = [process.argv[0]!, file, ...rest];
  await import(file);
};
