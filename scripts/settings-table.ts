/** The README's table of settings, from the one list that has them. */
import { settings } from '../src/config.ts';
import { keepWritten, readProjectFile } from './written-file.ts';

const [begin, end] = ['<!-- settings: written by `npm run docs` -->', '<!-- /settings -->'];

const row = ([name, { standard, help }]: [string, { standard: string; help: string }]) =>
  `| \`${name}\` | ${standard === '' ? '' : `\`${standard}\``} | ${help.replaceAll('|', '\\|')} |`;

const readme = readProjectFile('README.md');
const table = ['| setting | default | meaning |', '|---|---|---|', ...Object.entries(settings).map(row)].join('\n');

keepWritten(
  'README.md',
  `${readme.slice(0, readme.indexOf(begin) + begin.length)}\n${table}\n${readme.slice(readme.indexOf(end))}`,
  'src/config.ts',
);
