/** Writes the README's table of settings from the one list that has them; with `--check` only says whether it is true. */
import { readFileSync, writeFileSync } from 'node:fs';
import { settings } from '../src/config.ts';

const file = new URL('../README.md', import.meta.url);
const [begin, end] = ['<!-- settings: written by `npm run docs` -->', '<!-- /settings -->'];

const row = ([name, { standard, help }]: [string, { standard: string; help: string }]) =>
  `| \`${name}\` | ${standard === '' ? '' : `\`${standard}\``} | ${help.replaceAll('|', '\\|')} |`;

const readme = readFileSync(file, 'utf8');
const table = ['| setting | default | meaning |', '|---|---|---|', ...Object.entries(settings).map(row)].join('\n');
const written = `${readme.slice(0, readme.indexOf(begin) + begin.length)}\n${table}\n${readme.slice(readme.indexOf(end))}`;

if (process.argv.includes('--check')) {
  if (written !== readme) {
    console.error('The table of settings in README.md is not that of src/config.ts; run `npm run docs`.');
    process.exitCode = 1;
  }
} else writeFileSync(file, written);
