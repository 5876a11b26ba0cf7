/** Writes the table of settings in `docs/administration.md`, and `.env.example`, from `src/config.ts`. */
import { settings } from '../src/config.ts';
import { readProjectFile, writeProjectFile } from './support/project-file.ts';

const [begin, end] = ['<!-- settings: written by `npm run codegen` -->', '<!-- /settings -->'];
const list: [string, { defaultValue: string; help: string }][] = Object.entries(settings);

const table = [
  '| setting | default | meaning |',
  '|---|---|---|',
  ...list.map(
    ([name, { defaultValue, help }]) =>
      `| \`${name}\` | ${defaultValue === '' ? '' : `\`${defaultValue}\``} | ${help.replaceAll('|', '\\|')} |`,
  ),
].join('\n');

const page = 'docs/administration.md';
const text = readProjectFile(page);
writeProjectFile(page, `${text.slice(0, text.indexOf(begin) + begin.length)}\n${table}\n${text.slice(text.indexOf(end))}`);

const lines = list.map(([name, { defaultValue, help }]) => `# ${help.replaceAll('`', '')}\n# ${name}=${defaultValue}\n`);
writeProjectFile('.env.example', `# Every setting with its default; take away the # before what is to differ.\n\n${lines.join('\n')}`);
