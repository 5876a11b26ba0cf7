/** A chart of times relative to the baseline: one bar for each server, on a logarithmic scale. */
import type { Peer } from './workloads.ts';

/** A workload, and the time of each server relative to the baseline. */
interface ChartRow {
  readonly id: string;
  readonly name: string;
  readonly times: Readonly<Partial<Record<Peer, { readonly ratio: number }>>>;
}

const bars: readonly (readonly [peer: Peer, name: string, colour: string])[] = [
  ['service', 'this service', '#1f6f5c'],
  ['straightforward', 'straightforward server', '#b7a57a'],
  ['resolvers', 'Yoga + Pothos + DataLoader', '#a0527a'],
];
const ticks = [1, 2, 4, 8, 16, 32];

const [left, width, top, barHeight, gap] = [320, 520, 48, 12, 10] as const;
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
/** The smallest ratio on the chart. */
const min = 0.5;
const x = (ratio: number) => left + (width * Math.log2(Math.max(ratio, min) / min)) / Math.log2(ticks.at(-1)! / min);

const text = (at: number, y: number, words: string, more = '') => `<text x="${at.toFixed(1)}" y="${y}" ${more}>${escaped(words)}</text>`;

export const chart = (results: readonly ChartRow[]): string => {
  let y = top;
  const rows = results.map(({ id, name, times }) => {
    const shown = bars.flatMap(([peer, , colour]) => (times[peer] ? [{ ratio: times[peer].ratio, colour }] : []));
    const label = text(left - 8, y + barHeight - 2, `${id}: ${name}`, 'text-anchor="end"');
    const drawn = shown.map(({ ratio, colour }, at) => {
      const begin = y + at * barHeight;
      const bar = `<rect x="${left}" y="${begin}" width="${Math.max(1, x(ratio) - left).toFixed(1)}" height="${barHeight - 2}" fill="${colour}"/>`;
      return bar + text(x(ratio) + 4, begin + barHeight - 3, ratio.toFixed(2));
    });
    y += shown.length * barHeight + gap;
    return [label, ...drawn].join('\n');
  });
  const grid = ticks.map(
    (tick) =>
      `<path d="M${x(tick).toFixed(1)} ${top - 8}V${y}" stroke="${tick === 1 ? '#555' : '#ddd'}"/>${text(x(tick), top - 12, `${tick} ×`, 'text-anchor="middle"')}`,
  );
  const legend = bars.map(([, name, colour], at) => {
    const begin = left + at * 175;
    return `<rect x="${begin}" y="10" width="10" height="10" fill="${colour}"/>${text(begin + 15, 19, name)}`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${left + width + 60} ${y + 6}" font-family="system-ui, sans-serif" font-size="11" fill="#222">
<title>Time of each server as a multiple of the baseline; shorter is better</title>
<rect width="100%" height="100%" fill="#fff"/>
${[...grid, ...legend, ...rows].join('\n')}
</svg>
`;
};
