/** The results of `npm run bench -- workloads` as lines, and as the table and chart of `docs/performance.md`. */
import { writeFileSync } from 'node:fs';
import { readProjectFile } from '../scripts/support/project-file.ts';
import { chart } from './chart.ts';
import type { Measured } from './rounds.ts';
import type { Peer } from './workloads.ts';

export interface Result {
  readonly id: string;
  readonly name: string;
  readonly connections: number;
  readonly times: Readonly<Partial<Record<Peer, Measured>>>;
  /** Peak memory in megabytes. */
  readonly memory: Readonly<Partial<Record<Peer, number>>>;
  /** Time of the first hundred responses of a process relative to a warm process. */
  readonly cold?: number;
  /** Milliseconds to the first byte of a large page. */
  readonly firstByte?: Readonly<Record<'service' | 'baseline', number>>;
}

const ratio = (measured: Measured | undefined): string => (measured ? measured.ratio.toFixed(2) : '');
const spread = ({ quartiles }: Measured): string => quartiles.map((value) => value.toFixed(2)).join('–');

export const line = ({ id, name, times, memory, cold, firstByte }: Result): string => {
  const { service, straightforward, resolvers, baseline } = times;
  return [
    `${id.padEnd(11)} ${name.padEnd(46)}`,
    `${ratio(service)} (${spread(service!)})`,
    `cpu ${service!.cpuRatio.toFixed(2)}`,
    `${service!.time.toFixed(3)}/${baseline!.time.toFixed(3)} ms, cpu ${service!.cpu.toFixed(3)}/${baseline!.cpu.toFixed(3)} ms`,
    ...(straightforward ? [`straightforward ${ratio(straightforward)}`] : []),
    ...(resolvers ? [`resolvers ${ratio(resolvers)}`] : []),
    `${memory.service!.toFixed(0)} MB (baseline ${memory.baseline!.toFixed(0)})`,
    ...(cold ? [`cold ${cold.toFixed(1)}`] : []),
    ...(firstByte ? [`first byte ${firstByte.service.toFixed(0)} ms (baseline ${firstByte.baseline.toFixed(0)})`] : []),
  ].join('  ');
};

const head = `| | work | service (middle half) | CPU time | straightforward | resolvers | peak memory | first 100 |
|---|---|---|---|---|---|---|---|`;

const row = ({ id, name, times, memory, cold, firstByte }: Result): string => {
  const { service, straightforward, resolvers } = times;
  const first = firstByte
    ? `, first byte after ${firstByte.service.toFixed(0)} ms, the baseline's after ${firstByte.baseline.toFixed(0)}`
    : '';
  const cells = [
    id,
    `${name}${first}`,
    `**${ratio(service)}** (${spread(service!)})`,
    service!.cpuRatio.toFixed(2),
    ratio(straightforward),
    ratio(resolvers),
    `${memory.service!.toFixed(0)} MB`,
    cold ? `${cold.toFixed(1)} ×` : '',
  ];
  return `| ${cells.join(' | ')} |`;
};

const document = 'docs/performance.md';
const end = '<!-- end -->';

/** Replaces the text between the marks of a benchmark in the document. */
const rewrite = (name: string, change: (content: string) => string): void => {
  const begin = `<!-- written by the benchmark ${name} -->`;
  const text = readProjectFile(document);
  const from = text.indexOf(begin) + begin.length;
  const to = text.indexOf(end, from);
  if (from < begin.length || to < 0) throw new Error(`${document} has no place for the figures of ${name}`);
  writeFileSync(document, `${text.slice(0, from)}\n${change(text.slice(from, to).trim())}\n${text.slice(to)}`);
};

/** Writes table and chart to the document. */
export const writeResults = (results: readonly Result[], rounds: number): void => {
  writeFileSync('docs/performance.svg', chart(results));
  const said = `Medians of ${rounds} rounds; ${new Date().toISOString().slice(0, 10)}.`;
  const picture = '![Time of each server as a multiple of the baseline](performance.svg)';
  rewrite('workloads', () => [picture, '', head, ...results.map(row), '', said].join('\n'));
};

const growthHead = ['| what | measured |', '|---|---|'];

/** Replaces the lines of the same name in the table of growth, or appends them. */
export const writeFigures = (figures: readonly (readonly [what: string, figure: string])[]): void =>
  rewrite('growth', (content) => {
    const lines = new Map(
      content
        .split('\n')
        .slice(growthHead.length)
        .map((line) => [line.split(' | ')[0]!, line]),
    );
    for (const [what, figure] of figures) lines.set(`| ${what}`, `| ${what} | ${figure} |`);
    return [...growthHead, ...lines.values()].join('\n');
  });
