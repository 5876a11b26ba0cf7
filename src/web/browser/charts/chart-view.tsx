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
import { Picker } from '../controls.tsx';
import { download } from '../download.ts';
import type { List } from '../list.ts';
import { type LanguageCode, locales, numberText } from '../values.ts';
import { type Axes, chartKinds, figuresOf, fittingAxes, isOverTime, maxSeries, suggestAxes } from './axes.ts';
import { type ChartColors, pngOf } from './chart-file.ts';
import { useIsDark } from './dark-mode.ts';
import { type ChartData, type ChartTexts, chartData, mostBars, type Series, type TextOfCell } from './series.ts';

Chart.register(BarController, BarElement, CategoryScale, Legend, LinearScale, LineController, LineElement, PointElement, Tooltip);

const barHeight = 28;

const color = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const fileColors = (): ChartColors => ({ background: color('--card'), ink: color('--ink') });

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

const heightOf = ({ kind }: Axes, { series, places }: ChartData): number => {
  const bars = kind === 'grouped' ? places * Math.max(1, series.length * 0.6) : places;
  return kind === 'line' ? 320 : Math.max(160, bars * barHeight + 60 + (series.length > 1 ? 40 : 0));
};

const none = '';

/** The name of a column for people. */
type NameOf = (column: string) => string;

interface DrawingProps {
  readonly list: List;
  readonly axes: Axes;
  readonly nameOf: NameOf;
  readonly language: LanguageCode;
  readonly texts: ChartTexts;
  /** By default, a day is shown as a day. */
  readonly textOf?: TextOfCell | undefined;
}

/** What the chart leaves out, for people. Empty if it is complete. */
const omittedText = ({ series, omitted }: ChartData, texts: ChartTexts): string =>
  [
    omitted.series > 0 ? texts.largest(series.length, series.length + omitted.series) : '',
    omitted.withoutDay > 0 ? texts.withoutDay(omitted.withoutDay) : '',
  ]
    .filter(Boolean)
    .join(' ');

const Drawing = ({ list, axes, nameOf: name, language, texts, textOf }: DrawingProps) => {
  const data = useMemo((): ChartData => {
    const found = chartData(list, axes, language, texts, textOf);
    return axes.series ? found : { ...found, series: found.series.map((each) => ({ ...each, label: name(axes.y) })) };
  }, [list, axes, language, name, texts, textOf]);
  const title = texts.title(name(axes.y), name(axes.x), axes.series && name(axes.series));
  if (data.isTooMuch) {
    const [places = '', most = ''] = [data.places, mostBars].map((count) => count.toLocaleString(locales[language]));
    return <p className="notice">{texts.tooMuch(places, most)}</p>;
  }
  const text = texts.alternative(texts.kinds[axes.kind], title, data.series.length, data.places);
  return <DrawnChart {...{ list, axes, data, language, texts, title, text }} />;
};

interface DrawnChartProps extends Omit<DrawingProps, 'nameOf' | 'textOf'> {
  readonly data: ChartData;
  readonly title: string;
  /** What the chart shows, for people who do not see it. */
  readonly text: string;
}

const DrawnChart = ({ list, axes, data, language, texts, title, text }: DrawnChartProps) => {
  const canvas = useRef<HTMLCanvasElement>(null);
  const drawn = useRef<Chart>(null);
  const isDark = useIsDark();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours change with the system's scheme
  useEffect(() => {
    const chart = new Chart(canvas.current as HTMLCanvasElement, configuration(list, axes, data, language));
    drawn.current = chart;
    return () => chart.destroy();
  }, [list, axes, data, language, isDark]);
  const save = async (): Promise<void> => {
    if (drawn.current) download(`${list.name}.png`, await pngOf(drawn.current, title, fileColors()));
  };
  return (
    <div>
      <div className="actions">
        <h2>{title}</h2>
        <button type="button" aria-label={`${texts.download} PNG`} onClick={save}>
          PNG
        </button>
      </div>
      <p className="hint">{omittedText(data, texts)}</p>
      <div className="response-chart" style={{ height: heightOf(axes, data) }}>
        <canvas ref={canvas} role="img" aria-label={text} />
      </div>
    </div>
  );
};

interface ChartViewProps {
  readonly list: List;
  readonly nameOf: NameOf;
  readonly language: LanguageCode;
  readonly texts: ChartTexts;
  readonly textOf?: TextOfCell;
  /** The axes that the reader chose. They hold for later responses with the same columns. */
  readonly chosen: Axes | undefined;
  readonly onChoose: (axes: Axes) => void;
}

export const ChartView = ({ list, nameOf: name, language, texts, textOf, chosen, onChoose }: ChartViewProps) => {
  const suggested = useMemo(() => suggestAxes(list), [list]);
  if (!suggested) return <p className="hint">{texts.nothing}</p>;
  const figures = figuresOf(list);
  const axes = fittingAxes(list, chosen) ?? suggested;
  const change = (part: Partial<Axes>) => onChoose({ ...axes, ...part });
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
          label={texts.across}
          values={list.columns}
          chosen={axes.x}
          nameOf={name}
          onChoose={(x) => change({ x, kind: isOverTime(list, x) ? 'line' : axes.kind })}
        />
        <Picker label={texts.up} values={figures} chosen={axes.y} nameOf={name} onChoose={(y) => change({ y })} />
        <Picker
          label={texts.split}
          values={[none, ...words]}
          chosen={axes.series ?? none}
          nameOf={(column) => (column === none ? texts.none : name(column))}
          onChoose={split}
        />
        <Picker
          label={texts.as}
          values={axes.series ? chartKinds.filter((kind) => kind !== 'bar') : (['bar', 'line'] as const)}
          chosen={axes.kind}
          nameOf={(kind) => texts.kindNames[kind]}
          onChoose={(kind) => change({ kind })}
        />
      </div>
      <Drawing list={list} axes={axes} nameOf={name} language={language} texts={texts} textOf={textOf} />
    </>
  );
};
