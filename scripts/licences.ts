/** Writes docs/licences.md from package-lock.json: the libraries of the service and their licences. */
import { readdirSync } from 'node:fs';
import { readProjectFile, writeProjectFile } from './support/project-file.ts';

interface Locked {
  readonly version?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
}

const { packages } = JSON.parse(readProjectFile('package-lock.json')) as { packages: Record<string, Locked> };
const { dependencies, optionalDependencies, devDependencies } = JSON.parse(readProjectFile('package.json')) as Record<
  'dependencies' | 'optionalDependencies' | 'devDependencies',
  Readonly<Record<string, string>>
>;

const textsOf = (names: readonly string[]): readonly string[] => names.map(readProjectFile);
const sources = textsOf(
  readdirSync('src', { recursive: true, encoding: 'utf8' }).flatMap((name) => (/\.(?:ts|tsx|js)$/.test(name) ? [`src/${name}`] : [])),
);
const scripts = textsOf(['scripts/build.mjs', 'scripts/graphiql-bundle.mjs']);

/** The development dependencies that the bundles contain: the sources import them, or the scripts add their files. Types are no content. */
const bundled = Object.keys(devDependencies).filter((name) => {
  const imported = new RegExp(`^(?:import (?!type )|} )[^;]*'${name}['/]`, 'm');
  const added = new RegExp(`['/]${name}/`);
  return sources.some((text) => imported.test(text)) || scripts.some((text) => added.test(text));
});

const direct = new Set([...Object.keys(dependencies), ...Object.keys(optionalDependencies), ...bundled]);

/** The place of a package that another one finds, as Node looks for it. */
const placeOf = (from: string, name: string): string | undefined => {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const place = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (place in packages) return place;
    if (folder === '') return undefined;
  }
};

/** The bundled packages with those that they bring along. */
const brought = new Set<string>();
const bring = (from: string, names: readonly string[]): void => {
  for (const name of names) {
    const place = placeOf(from, name);
    if (place === undefined || brought.has(place)) continue;
    brought.add(place);
    bring(place, Object.keys(packages[place]!.dependencies ?? {}));
  }
};
bring('', bundled);

/** The name of the package at a path such as `node_modules/a/node_modules/b`. */
const nameOf = (path: string): string => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

const used = Object.entries(packages)
  .filter(([path, { dev }]) => path !== '' && (!dev || brought.has(path)))
  .map(([path, { version = '', license, optional = false }]) => ({ name: nameOf(path), version, license, optional }));

const unknown = used.filter(({ license }) => !license).map(({ name }) => name);
if (unknown.length > 0) {
  console.error(`No licence is known of ${unknown.join(', ')}: read what it brings along, and do without it or say so here.`);
  process.exitCode = 1;
}

const byName = [...new Map(used.map((one) => [`${one.name}@${one.version}`, one])).values()].sort((a, b) => (a.name < b.name ? -1 : 1));
const licences = [...new Set(byName.map(({ license = 'unknown' }) => license))];
const counts = licences.map((name) => [name, byName.filter(({ license = 'unknown' }) => license === name).length] as const);

const text = `<!-- Written by \`npm run codegen\` from package-lock.json. -->
# Licences

What an installation and its bundles have: ${byName.length} packages, ${direct.size} of which the service names itself (in bold), with those that they bring along. Packages
that are one machine's alone, or that an installation may leave out, are marked with *. Each package carries the text of its licence.

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

writeProjectFile('docs/licences.md', text);
