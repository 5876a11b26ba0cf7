/** Writes docs/licences.md from package-lock.json: the libraries of the service and their licences. */
import { readProjectFile, writeGenerated } from './support/generated-file.ts';

interface Locked {
  readonly version?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
}

const { packages } = JSON.parse(readProjectFile('package-lock.json')) as { packages: Record<string, Locked> };
const direct = new Set(Object.keys((JSON.parse(readProjectFile('package.json')) as { dependencies: object }).dependencies));

/** The name of the package at a path such as `node_modules/a/node_modules/b`. */
const nameOf = (path: string): string => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

const used = Object.entries(packages)
  .filter(([path, { dev }]) => path !== '' && !dev)
  .map(([path, { version = '', license, optional = false }]) => ({ name: nameOf(path), version, license, optional }));

const unknown = used.filter(({ license }) => !license).map(({ name }) => name);
if (unknown.length > 0) {
  console.error(`No licence is known of ${unknown.join(', ')}: read what it brings along, and do without it or say so here.`);
  process.exitCode = 1;
}

const byName = [...new Map(used.map((one) => [`${one.name}@${one.version}`, one])).values()].sort((a, b) => (a.name < b.name ? -1 : 1));
const licences = [...new Set(byName.map(({ license = 'unknown' }) => license))];
const counts = licences.map((name) => [name, byName.filter(({ license = 'unknown' }) => license === name).length] as const);

const text = `<!-- Written by \`npm run docs\` from package-lock.json. -->
# Licences

What \`npm ci --omit=dev\` installs: ${byName.length} packages, ${direct.size} of which the service names itself (in bold), with those that they bring along. Packages
that are one machine's alone, of which an installation has only its own, are marked with *. Each package carries the text of its licence.

| licence | packages |
|---|---|
${[...counts]
  .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
  .map(([license, count]) => `| ${license} | ${count} |`)
  .join('\n')}

| package | version | licence |
|---|---|---|
${byName
  .map(
    ({ name, version, license = 'unknown', optional }) =>
      `| ${direct.has(name) ? `**${name}**` : name}${optional ? ' *' : ''} | ${version} | ${license} |`,
  )
  .join('\n')}
`;

writeGenerated('docs/licences.md', text, 'package-lock.json');
