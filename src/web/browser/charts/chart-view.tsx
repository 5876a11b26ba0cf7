/** A list as a chart. The table is its text alternative. */
import type { Chart } from 'chart.js';
import { useEffect, useMemo, useRef, useState } from 'react';
import { Picker } from '../controls.tsx';
import { download } from '../download.ts';
import type { List } from '../list.ts';
import { type LanguageCode, locales } from '../values.ts';
import { type Axes, chartKinds, figuresOf, fittingAxes, isOverTime, suggestAxes } from './axes.ts';
import { type ChartColors, pngOf } from './chart-file.ts';
import { useIsDark } from './dark-mode.ts';
import { type ChartData, type ChartTexts, chartData, mostBars, type TextOfCell } from './series.ts';

/** Loads the script that draws. */
export type LoadDrawing = () => Promise<typeof import('./drawing.ts')>;

const barHeight = 28;

const color = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const fileColors = (): ChartColors => ({ background: color('--card'), ink: color('--ink') });

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
  readonly load: LoadDrawing;
}

/** What the chart leaves out, for people. Empty if it is complete. */
const omittedText = ({ series, omitted }: ChartData, texts: ChartTexts): string =>
  [
    omitted.series > 0 ? texts.largest(series.length, series.length + omitted.series) : '',
    omitted.withoutDay > 0 ? texts.withoutDay(omitted.withoutDay) : '',
  ]
    .filter(Boolean)
    .join(' ');

const Drawing = ({ list, axes, nameOf: name, language, texts, textOf, load }: DrawingProps) => {
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
  return <DrawnChart {...{ list, axes, data, language, texts, title, text, load }} />;
};

interface DrawnChartProps extends Omit<DrawingProps, 'nameOf' | 'textOf'> {
  readonly data: ChartData;
  readonly title: string;
  /** What the chart shows, for people who do not see it. */
  readonly text: string;
}

const DrawnChart = ({ list, axes, data, language, texts, title, text, load }: DrawnChartProps) => {
  const canvas = useRef<HTMLCanvasElement>(null);
  const drawn = useRef<Promise<Chart | undefined>>(undefined);
  const [isFailed, setFailed] = useState(false);
  const isDark = useIsDark();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours change with the system's scheme
  useEffect(() => {
    let isGone = false;
    const drawing = load().then(
      ({ drawChart }) => (isGone ? undefined : drawChart(canvas.current as HTMLCanvasElement, list, axes, data, language)),
      () => {
        setFailed(true);
        return undefined;
      },
    );
    drawn.current = drawing;
    return () => {
      isGone = true;
      drawing.then((chart) => chart?.destroy());
    };
  }, [list, axes, data, language, isDark, load]);
  const save = async (): Promise<void> => {
    const chart = await drawn.current;
    if (chart) download(`${list.name}.png`, await pngOf(chart, title, fileColors()));
  };
  if (isFailed) return <p className="notice">{texts.notLoaded}</p>;
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
  readonly load: LoadDrawing;
  /** The axes that the reader chose. They hold for later responses with the same columns. */
  readonly chosen: Axes | undefined;
  readonly onChoose: (axes: Axes) => void;
}

export const ChartView = ({ list, nameOf: name, language, texts, textOf, load, chosen, onChoose }: ChartViewProps) => {
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
      <Drawing list={list} axes={axes} nameOf={name} language={language} texts={texts} textOf={textOf} load={load} />
    </>
  );
};
