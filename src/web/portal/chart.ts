/**
 * Bar charts of usage as server-side SVG.
 *
 * Only the bars are SVG and stretch to the available width. The labels are HTML, so that they stay readable on a phone.
 */
import type { UsageMeasure } from '../../access/usage.ts';
import type { UsageStep } from '../../access/usage-report.ts';
import { formatBytes, formatCount, formatShort } from '../pages/format.ts';
import { type Html, html } from '../pages/html.ts';

export interface Bar {
  /** The text on hover. */
  readonly title: string;
  readonly value: number;
  /** The failed part of the value, in another colour. */
  readonly bad?: number;
}

export interface Chart {
  /** The description for screen readers. */
  readonly label: string;
  readonly bars: readonly Bar[];
  /** The formatted largest value. */
  readonly format: (value: number) => string;
  /** The meaning of the other colour. */
  readonly legend?: string;
  /** Labels under the first and the last bar. */
  readonly from: string;
  readonly to: string;
}

const height = 100;
const gap = 0.18;

/** The next round number, for the top of the scale. */
export const roundUp = (value: number): number => {
  if (value <= 1) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10].find((factor) => factor * power >= value) ?? 10) * power;
};

const column = ({ value, bad = 0, title }: Bar, index: number, top: number): Html => {
  const scale = (amount: number) => (amount > 0 ? Math.max(1, (amount / top) * height) : 0);
  const whole = scale(value);
  const wrong = Math.min(whole, scale(bad));
  const rect = (part: string, size: number, base: number) =>
    html`<rect class="${part}" x="${(index + gap / 2).toFixed(2)}" width="${1 - gap}" y="${(height - base - size).toFixed(2)}" height="${size.toFixed(2)}"/>`;
  return html`<g><title>${title}</title><rect class="reach" x="${index}" width="1" y="0" height="${height}"/>${
    whole > wrong && rect('bar', whole - wrong, wrong)
  }${wrong > 0 && rect('wrong', wrong, 0)}</g>`;
};

export const barChart = ({ label, bars, legend, format, from, to }: Chart): Html => {
  const top = roundUp(Math.max(0, ...bars.map(({ value }) => value)));
  return html`<figure class="chart">
<div class="plot"><span class="most">${format(top)}</span>${legend && html`<span class="legend">${legend}</span>`}
<svg viewBox="0 0 ${bars.length} ${height}" preserveAspectRatio="none" role="img" aria-label="${label}">${bars.map((bar, index) => column(bar, index, top))}</svg></div>
<figcaption><span>${from}</span><span>${to}</span></figcaption>
</figure>`;
};

/** The used share of a limit. */
export const gauge = (value: number, max: number): Html => {
  const share = max > 0 ? Math.min(1, value / max) : 0;
  return html`<svg class="gauge${share >= 1 ? ' full' : share >= 0.8 ? ' high' : ''}" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true"><rect class="rail" width="100" height="6" rx="3"/><rect class="fill" width="${(share * 100).toFixed(1)}" height="6" rx="3"/></svg>`;
};

export const measureLabels: Record<UsageMeasure, string> = {
  requests: 'Requests',
  rows: 'Rows',
  bytes: 'Bytes',
  errors: 'Errors',
  limited: '429s',
};

export const formatMeasure = (measure: UsageMeasure, value: number): string =>
  measure === 'bytes' ? formatBytes(value) : formatCount(value);

const stamp = (start: Date, isHourly: boolean): string =>
  isHourly ? `${start.toISOString().slice(5, 13).replace('T', ' ')}:00 UTC` : start.toISOString().slice(0, 10);

/** One bar for each step. Refused and failed requests have another colour. */
export const usageChart = (steps: readonly UsageStep[], measure: UsageMeasure, isHourly: boolean): Html => {
  const bars = steps.map((step) => {
    const bad = measure === 'requests' ? step.errors + step.limited : measure === 'errors' || measure === 'limited' ? step[measure] : 0;
    const aside = measure === 'requests' && bad > 0 ? `, ${formatCount(step.errors)} errors, ${formatCount(step.limited)} 429s` : '';
    return { value: step[measure], bad, title: `${stamp(step.start, isHourly)}: ${formatMeasure(measure, step[measure])}${aside}` };
  });
  const total = steps.reduce((sum, step) => sum + step[measure], 0);
  const first = steps[0];
  return barChart({
    label: `${measureLabels[measure]} ${isHourly ? 'by hour' : 'by day'}: ${formatMeasure(measure, total)} in all`,
    bars,
    ...(measure === 'requests' && bars.some(({ bad }) => bad > 0) && { legend: 'failed or over the limit' }),
    format: measure === 'bytes' ? formatBytes : formatShort,
    from: first ? stamp(first.start, isHourly) : '',
    to: isHourly ? 'this hour' : 'today',
  });
};
