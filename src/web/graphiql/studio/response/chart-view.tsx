/** A list as a chart, drawn by Chart.js in the page's colours. The table is its text alternative. */
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
import { useEffect, useMemo, useRef } from 'react';
import type { Labels } from '../../labels.ts';
import { useIsDark } from '../color-scheme.ts';
import { Picker } from '../controls.tsx';
import { type Axes, chartKinds, figuresOf, fittingAxes, isOverTime, maxSeries, suggestAxes } from './axes.ts';
import { type ChartColors, pngOf, svgOf } from './chart-files.ts';
import { download } from './download.ts';
import { type Language, labelOf, languages, locales, numberText, shownText } from './language.ts';
import { type ChartData, chartData, type Series } from './series.ts';
import type { List } from './unfold.ts';

Chart.register(BarController, BarElement, CategoryScale, Legend, LinearScale, LineController, LineElement, PointElement, Tooltip);

const barHeight = 28;

const color = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const fileColors = (): ChartColors => ({ background: color('--card'), ink: color('--ink'), line: color('--line') });

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
const daysScale = (series: readonly Series[], language: Language) => ({
  type: 'linear' as const,
  ticks: {
    callback: (value: number | string) => shownText(new Date(Number(value)).toISOString().slice(0, 10), '', language),
    color: color('--quiet'),
    maxRotation: 0,
  },
  grid: { color: color('--line') },
  afterBuildTicks: (scale: { ticks: { value: number }[] }) => {
    scale.ticks = spread((series[0]?.points ?? []).map(({ at }) => Date.parse(at))).map((value) => ({ value }));
  },
});

const configuration = (list: List, axes: Axes, { series }: ChartData, language: Language): ChartConfiguration => {
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
              return `${item.dataset.label}: ${language === 'As sent' ? text : numberText(text, locale)}`;
            },
          },
        },
      },
      scales: (isLine ? { x: isDays ? daysScale(series, language) : names, y: figures } : { x: figures, y: names }) as never,
    },
  };
};

const heightOf = ({ kind }: Axes, { series, places }: ChartData): number => {
  const bars = kind === 'grouped' ? places * Math.max(1, series.length * 0.6) : places;
  return kind === 'line' ? 320 : Math.max(160, bars * barHeight + 60 + (series.length > 1 ? 40 : 0));
};

const kindNames = { bar: 'Bar', line: 'Line', stacked: 'Stacked bar', grouped: 'Grouped bar' } as const;
const none = '(one colour)';

interface DrawingProps {
  readonly list: List;
  readonly axes: Axes;
  readonly labels: Labels;
  readonly language: Language;
}

const Drawing = ({ list, axes, labels, language }: DrawingProps) => {
  const canvas = useRef<HTMLCanvasElement>(null);
  const drawn = useRef<Chart>(null);
  const name = (column: string) => labelOf(column, language, labels);
  const data = useMemo((): ChartData => {
    const found = chartData(list, axes, language);
    return axes.series ? found : { ...found, series: found.series.map((each) => ({ ...each, label: labelOf(axes.y, language, labels) })) };
  }, [list, axes, language, labels]);
  const isDark = useIsDark();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours change with the system's scheme
  useEffect(() => {
    const chart = new Chart(canvas.current as HTMLCanvasElement, configuration(list, axes, data, language));
    drawn.current = chart;
    return () => chart.destroy();
  }, [list, axes, data, language, isDark]);
  const by = axes.series ? `${name(axes.x)} and ${name(axes.series)}` : name(axes.x);
  const title = `${name(axes.y)} by ${by}`;
  const values = data.series.length > 1 ? `${data.series.length} series of ${data.places} values` : `${data.places} values`;
  const text = `${kindNames[axes.kind]} chart of ${title}: ${values}; the table has them as text.`;
  const save = async (kind: 'png' | 'svg'): Promise<void> => {
    const chart = drawn.current;
    if (!chart) return;
    const content =
      kind === 'png' ? await pngOf(chart, title, fileColors()) : new Blob([svgOf(chart, title, fileColors())], { type: 'image/svg+xml' });
    download(`${list.name}.${kind}`, content);
  };
  return (
    <div>
      <div className="actions">
        <h2>{title}</h2>
        <span className="actions">
          <button type="button" aria-label="Download PNG" onClick={() => save('png')}>
            PNG
          </button>
          <button type="button" aria-label="Download SVG" onClick={() => save('svg')}>
            SVG
          </button>
        </span>
      </div>
      <div className="response-chart" style={{ height: heightOf(axes, data) }}>
        <canvas ref={canvas} role="img" aria-label={text} />
      </div>
      <p className="hint">{data.omitted}</p>
    </div>
  );
};

interface ChartViewProps {
  readonly list: List;
  readonly labels: Labels;
  readonly language: Language;
  readonly onLanguage: (language: Language) => void;
  /** The axes that the reader chose. They hold for later responses with the same columns. */
  readonly chosen: Axes | undefined;
  readonly onChoose: (axes: Axes) => void;
}

export const ChartView = ({ list, labels, language, onLanguage, chosen, onChoose }: ChartViewProps) => {
  const suggested = useMemo(() => suggestAxes(list), [list]);
  if (!suggested) return <p className="hint">There are no numbers in this list to draw.</p>;
  const figures = figuresOf(list);
  const axes = fittingAxes(list, chosen) ?? suggested;
  const change = (part: Partial<Axes>) => onChoose({ ...axes, ...part });
  const name = (column: string) => labelOf(column, language, labels);
  const split = (series: string) => {
    const { series: _, kind, ...others } = axes;
    if (series === none) onChoose({ ...others, kind: kind === 'line' ? 'line' : 'bar' });
    else onChoose({ ...others, kind: kind === 'bar' ? 'grouped' : kind, series });
  };
  const words = list.columns.filter((column) => column !== axes.x && (!figures.includes(column) || column.startsWith('key.')));
  return (
    <>
      <div className="chart-controls">
        <Picker
          label="Across"
          values={list.columns}
          chosen={axes.x}
          nameOf={name}
          onChoose={(x) => change({ x, kind: isOverTime(list, x) ? 'line' : axes.kind })}
        />
        <Picker label="Up" values={figures} chosen={axes.y} nameOf={name} onChoose={(y) => change({ y })} />
        <Picker
          label="Split by"
          values={[none, ...words]}
          chosen={axes.series ?? none}
          nameOf={(column) => (column === none ? none : name(column))}
          onChoose={split}
        />
        <Picker
          label="As"
          values={axes.series ? chartKinds.filter((kind) => kind !== 'bar') : (['bar', 'line'] as const)}
          chosen={axes.kind}
          onChoose={(kind) => change({ kind })}
        />
        <Picker label="Names and formats" values={languages} chosen={language} onChoose={onLanguage} />
      </div>
      <Drawing list={list} axes={axes} labels={labels} language={language} />
    </>
  );
};
