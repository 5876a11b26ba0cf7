/** Series of usage as charts. */
import type { Measure } from '../access/usage.ts';
import type { Step } from '../access/usage-report.ts';
import { barChart } from './chart.ts';
import { formatBytes, formatCount, formatShort } from './format.ts';
import type { Html } from './html.ts';

export const measureLabels: Record<Measure, string> = {
  requests: 'Requests',
  rows: 'Rows',
  bytes: 'Bytes',
  errors: 'Errors',
  limited: '429s',
};

export const formatMeasure = (measure: Measure, value: number): string => (measure === 'bytes' ? formatBytes(value) : formatCount(value));

const stamp = (start: Date, isHourly: boolean): string =>
  isHourly ? `${start.toISOString().slice(5, 13).replace('T', ' ')}:00 UTC` : start.toISOString().slice(0, 10);

/** One bar a step; refused and failed requests stand out among the requests. */
export const usageChart = (steps: readonly Step[], measure: Measure, isHourly: boolean): Html => {
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
