/** A list as a chart, drawn by Chart.js in the page's colours. The table is its text alternative. */
import {
  BarController,
  BarElement,
  CategoryScale,
  Chart,
  type ChartConfiguration,
  LinearScale,
  LineController,
  LineElement,
  PointElement,
  Tooltip,
} from 'chart.js';
import { useEffect, useMemo, useRef } from 'react';
import { useIsDark } from '../color-scheme.ts';
import { Picker } from '../controls.tsx';
import { type Axes, figuresOf, isOverTime, suggestAxes } from './axes.ts';
import { type List, textOf } from './unfold.ts';

Chart.register(BarController, BarElement, CategoryScale, LinearScale, LineController, LineElement, PointElement, Tooltip);

/** More bars are not readable. */
const maxPoints = 200;
const barHeight = 28;

interface Point {
  readonly label: string;
  readonly value: number;
  /** The number with the digits of the response. */
  readonly text: string;
}

const pointsOf = (list: List, { x, y, kind }: Axes): readonly Point[] => {
  const [atX, atY] = [list.columns.indexOf(x), list.columns.indexOf(y)];
  const points = list.rows.map((row) => {
    const text = textOf(row[atY] ?? null);
    return { label: textOf(row[atX] ?? null) || '(none)', value: text === '' ? Number.NaN : Number(text), text };
  });
  return (kind === 'line' ? points.toSorted((a, b) => (a.label < b.label ? -1 : Number(a.label > b.label))) : points).slice(0, maxPoints);
};

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
const daysScale = (points: readonly Point[]) => ({
  type: 'linear' as const,
  ticks: {
    callback: (value: number | string) => new Date(Number(value)).toISOString().slice(0, 10),
    color: color('--quiet'),
    maxRotation: 0,
  },
  grid: { color: color('--line') },
  afterBuildTicks: (scale: { ticks: { value: number }[] }) => {
    scale.ticks = spread(points.map(({ label }) => Date.parse(label))).map((value) => ({ value }));
  },
});

const configuration = (list: List, axes: Axes, points: readonly Point[]): ChartConfiguration => {
  const isLine = axes.kind === 'line';
  const isDays = isLine && isOverTime(list, axes.x);
  const figures = { beginAtZero: true, ticks: { color: color('--quiet') }, grid: { color: color('--line') } };
  const names = { ticks: { color: color('--quiet'), autoSkip: isLine }, grid: { display: false } };
  const data = isDays ? points.map(({ label, value }) => ({ x: Date.parse(label), y: value })) : points.map(({ value }) => value);
  return {
    type: axes.kind,
    data: {
      ...(isDays ? {} : { labels: points.map(({ label }) => label) }),
      datasets: [
        {
          label: axes.y,
          data,
          backgroundColor: color('--accent'),
          borderColor: color('--accent'),
          pointRadius: 3,
          maxBarThickness: 24,
        } as never,
      ],
    },
    options: {
      // Labels are long, so bars are horizontal.
      indexAxis: isLine ? 'x' : 'y',
      animation: false,
      maintainAspectRatio: false,
      plugins: {
        tooltip: {
          callbacks: {
            title: ([item]) => points[item?.dataIndex ?? 0]?.label ?? '',
            label: ({ dataIndex }) => `${axes.y}: ${points[dataIndex]?.text}`,
          },
        },
      },
      scales: (isLine ? { x: isDays ? daysScale(points) : names, y: figures } : { x: figures, y: names }) as never,
    },
  };
};

interface DrawingProps {
  readonly list: List;
  readonly axes: Axes;
}

const Drawing = ({ list, axes }: DrawingProps) => {
  const canvas = useRef<HTMLCanvasElement>(null);
  const points = useMemo(() => pointsOf(list, axes), [list, axes]);
  const isDark = useIsDark();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours change with the system's scheme
  useEffect(() => {
    const chart = new Chart(canvas.current as HTMLCanvasElement, configuration(list, axes, points));
    return () => chart.destroy();
  }, [list, axes, points, isDark]);
  const isLine = axes.kind === 'line';
  const text = `${isLine ? 'Line' : 'Bar'} chart of ${axes.y} by ${axes.x}: ${points.length} values; the table has them as text.`;
  return (
    <div>
      <h2>
        {axes.y} by {axes.x}
      </h2>
      <div className="response-chart" style={{ height: isLine ? 320 : Math.max(160, points.length * barHeight + 60) }}>
        <canvas ref={canvas} role="img" aria-label={text} />
      </div>
      <p className="hint">{list.rows.length > points.length && `The first ${points.length} of ${list.rows.length} rows.`}</p>
    </div>
  );
};

interface ChartViewProps {
  readonly list: List;
  /** The axes that the reader chose. They hold for later responses with the same columns. */
  readonly chosen: Axes | undefined;
  readonly onChoose: (axes: Axes) => void;
}

export const ChartView = ({ list, chosen, onChoose }: ChartViewProps) => {
  const suggested = useMemo(() => suggestAxes(list), [list]);
  if (!suggested) return <p className="hint">There are no numbers in this list to draw.</p>;
  const figures = figuresOf(list);
  const axes = chosen && list.columns.includes(chosen.x) && figures.includes(chosen.y) ? chosen : suggested;
  const change = (part: Partial<Axes>) => onChoose({ ...axes, ...part });
  return (
    <>
      <div className="actions">
        <Picker
          label="Across"
          values={list.columns}
          chosen={axes.x}
          onChoose={(x) => change({ x, kind: isOverTime(list, x) ? 'line' : axes.kind })}
        />
        <Picker label="Up" values={figures} chosen={axes.y} onChoose={(y) => change({ y })} />
        <Picker label="As" values={['bar', 'line'] as const} chosen={axes.kind} onChoose={(kind) => change({ kind })} />
      </div>
      <Drawing list={list} axes={axes} />
    </>
  );
};
