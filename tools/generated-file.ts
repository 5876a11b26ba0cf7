/** Files of the documentation that a script writes: `npm run docs` writes them, `npm run docs:check` says whether they are true. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const address = (path: string) => new URL(`../${path}`, import.meta.url);

/** A file of the project as it stands; empty if there is none. */
export const readProjectFile = (path: string): string => (existsSync(address(path)) ? readFileSync(address(path), 'utf8') : '');

/** Writes a file; with `--check` only says whether it is there as it should be. */
export const writeGenerated = (path: string, text: string, source: string): void => {
  if (!process.argv.includes('--check')) writeFileSync(address(path), text);
  else if (readProjectFile(path) !== text) {
    console.error(`${path} is not what ${source} says; run \`npm run docs\`.`);
    process.exitCode = 1;
  }
};
