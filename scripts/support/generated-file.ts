/** Generated files: `npm run docs` writes them, `npm run docs:check` reports outdated files. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const address = (path: string) => new URL(`../../${path}`, import.meta.url);

/** The text of a file of the project; empty if it does not exist. */
export const readProjectFile = (path: string): string => (existsSync(address(path)) ? readFileSync(address(path), 'utf8') : '');

/** Writes a file. With `--check`, reports a difference instead. */
export const writeGenerated = (path: string, text: string, source: string): void => {
  if (!process.argv.includes('--check')) writeFileSync(address(path), text);
  else if (readProjectFile(path) !== text) {
    console.error(`${path} is not what ${source} says; run \`npm run docs\`.`);
    process.exitCode = 1;
  }
};
