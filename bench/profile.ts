/**
 * Shows the CPU time of the service in a workload by function and by module, with eight connections.
 *
 *   DATABASE_URL=postgres://… KEY_SECRET=… npm run bench -- profile W1 [seconds]
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { issueKey } from '../scripts/support/key.ts';
import { measureInRounds } from './rounds.ts';
import { startProductionService } from './service.ts';
import { listWorkloads } from './workloads.ts';

interface Frame {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number; readonly columnNumber: number };
}
interface Profile {
  readonly nodes: readonly Frame[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

const [beginning = 'W1', seconds = '10'] = process.argv.slice(2);
const shown = 25;

const maps = new Map<string, SourceMap>();
const mapOf = (path: string): SourceMap => {
  const known = maps.get(path) ?? new SourceMap(JSON.parse(readFileSync(`${path}.map`, 'utf8')));
  maps.set(path, known);
  return known;
};

/** The source file of a function: of this project or of a library. */
const fileOf = ({ callFrame: { url, lineNumber, columnNumber } }: Frame): string => {
  if (!url.startsWith('file:')) return url;
  const path = fileURLToPath(url);
  if (!path.startsWith(resolve('dist'))) return path;
  const entry = mapOf(path).findEntry(lineNumber, columnNumber);
  return 'originalSource' in entry ? join(path, '..', entry.originalSource) : path;
};

const partOf = (file: string, name: string): string => {
  const library = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1];
  if (library) return library;
  if (file.startsWith('node:')) return file.split('/').slice(0, 2).join('/');
  return file ? relative(process.cwd(), file) : name;
};

/**
 * Shares of CPU time in the last part of a profile, in microseconds. Samples are counted without their duration, because a long sample means
 * that the process waited for a core.
 */
const sharesOf = ({ nodes, samples, timeDeltas }: Profile, last: number) => {
  const frames = new Map(nodes.map((node) => [node.id, node]));
  const all = timeDeltas.reduce((sum, delta) => sum + delta, 0);
  const [functions, parts] = [new Map<string, number>(), new Map<string, number>()];
  let [passed, busy] = [0, 0];
  for (const [index, id] of samples.entries()) {
    const delta = timeDeltas[index]!;
    passed += delta;
    const frame = frames.get(id)!;
    const { functionName } = frame.callFrame;
    if (passed < all - last || functionName === '(idle)') continue;
    const part = partOf(fileOf(frame), functionName);
    const name = `${functionName || '(anonymous)'}  ${part === functionName ? '' : part}:${frame.callFrame.lineNumber + 1}`;
    functions.set(name, (functions.get(name) ?? 0) + 1);
    parts.set(part, (parts.get(part) ?? 0) + 1);
    busy++;
  }
  const sorted = (shares: ReadonlyMap<string, number>) =>
    [...shares].map(([name, time]) => ({ name, share: time / busy })).sort((a, b) => b.share - a.share);
  return { functions: sorted(functions), parts: sorted(parts) };
};

const folder = mkdtempSync(join(tmpdir(), 'estate-profile-'));
const { key, revoke } = await issueKey('bench');
try {
  const service = await startProductionService({ flags: ['--cpu-prof', `--cpu-prof-dir=${folder}`] });
  const work = (await listWorkloads(service, { 'X-API-Key': key })).find(({ id }) => id.startsWith(beginning));
  if (!work) throw new Error(`There is no work ${beginning}`);
  const duration = Number(seconds) * 1_000;
  const { connections, asks, before, warmUp } = work;
  const options = { rounds: 1, connections, roundMs: duration, warmUp };
  const [measured] = await measureInRounds([{ server: service, ask: asks.service!, before }], options);
  await service.stop();
  const [profile = ''] = readdirSync(folder);
  // Excludes the end of the process.
  const { functions, parts } = sharesOf(JSON.parse(readFileSync(join(folder, profile), 'utf8')), duration * 1_000);
  const print = (list: typeof parts) => {
    for (const { name, share } of list.slice(0, shown)) console.log(`${(share * 100).toFixed(1).padStart(5)} %  ${name}`);
  };
  console.log(`${work.id}, ${work.name}: ${measured!.cpu.toFixed(3)} ms of CPU time per response\n`);
  print(parts);
  console.log('');
  print(functions);
} finally {
  await revoke();
  rmSync(folder, { recursive: true });
}
