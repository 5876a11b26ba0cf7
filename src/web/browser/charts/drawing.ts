/** Draws charts by Chart.js in the page's colours. A script of its own, which a page loads with its first chart. */
import {
  BarController,
  BarElement,
  CategoryScale,
  Chart,
  type ChartConfiguration,
  Legend,
  LinearScale,
  LineController,
  LineElement,
  PointElement,
  Tooltip,
} from 'chart.js';
import type { List } from '../list.ts';
import { type LanguageCode, locales, numberText } from '../values.ts';
import { type Axes, isOverTime, maxSeries } from './axes.ts';
import type { ChartData, Series } from './series.ts';

Chart.register(BarController, BarElement, CategoryScale, Legend, LinearScale, LineController, LineElement, PointElement, Tooltip);

const color = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** The days whose labels fit next to each other, in order. */
const spread = (days: readonly number[]): readonly number[] => {
  const distance = ((days.at(-1) ?? 0) - (days[0] ?? 0)) / 6;
  let last = Number.NEGATIVE_INFINITY;
  return days.filter((day) => {
    if (day - last < distance || day === last) return false;
    last = day;
    return true;
  });
};

/** The distance of days on the axis is proportional to time. */
const daysScale = (series: readonly Series[]) => {
  const labels = new Map(series[0]?.points.map(({ at, label }) => [Date.parse(at), label]));
  return {
    type: 'linear' as const,
    ticks: { callback: (value: number | string) => labels.get(Number(value)) ?? '', color: color('--quiet'), maxRotation: 0 },
    grid: { color: color('--line') },
    afterBuildTicks: (scale: { ticks: { value: number }[] }) => {
      scale.ticks = spread([...labels.keys()]).map((value) => ({ value }));
    },
  };
};

const configuration = (list: List, axes: Axes, { series }: ChartData, language: LanguageCode): ChartConfiguration => {
  const isLine = axes.kind === 'line';
  const isDays = isLine && isOverTime(list, axes.x);
  const isStacked = axes.kind === 'stacked';
  const locale = locales[language];
  const ticks = { color: color('--quiet'), callback: (value: number | string) => Number(value).toLocaleString(locale) };
  const figures = { beginAtZero: true, stacked: isStacked, ticks, grid: { color: color('--line') } };
  const names = { stacked: isStacked, ticks: { color: color('--quiet'), autoSkip: isLine }, grid: { display: false } };
  const pointAt = (at: { datasetIndex: number; dataIndex: number }) => series[at.datasetIndex]?.points[at.dataIndex];
  return {
    type: isLine ? 'line' : 'bar',
    data: {
      ...(isDays ? {} : { labels: (series[0]?.points ?? []).map(({ label }) => label) }),
      datasets: series.map(({ label, points }, index) => {
        const own = series.length === 1 ? color('--accent') : color(`--series-${(index % maxSeries) + 1}`);
        return {
          label,
          data: isDays ? points.map(({ at, value }) => ({ x: Date.parse(at), y: value })) : points.map(({ value }) => value),
          backgroundColor: own,
          borderColor: own,
          pointRadius: 3,
          maxBarThickness: 24,
        } as never;
      }),
    },
    options: {
      // Labels are long, so bars are horizontal.
      indexAxis: isLine ? 'x' : 'y',
      animation: false,
      maintainAspectRatio: false,
      plugins: {
        legend: { display: series.length > 1, labels: { color: color('--ink'), boxWidth: 12 } },
        tooltip: {
          callbacks: {
            title: ([item]) => (item ? (pointAt(item)?.label ?? '') : ''),
            label: (item) => {
              const text = pointAt(item)?.text ?? '';
              return `${item.dataset.label}: ${numberText(text, locale)}`;
            },
          },
        },
      },
      scales: (isLine ? { x: isDays ? daysScale(series) : names, y: figures } : { x: figures, y: names }) as never,
    },
  };
};

export const drawChart = (canvas: HTMLCanvasElement, list: List, axes: Axes, data: ChartData, language: LanguageCode): Chart =>
  new Chart(canvas, configuration(list, axes, data, language));
