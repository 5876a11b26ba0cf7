/** A drawn chart as a PNG or SVG file. Chart.js draws on a canvas. The SVG repeats the places of its elements. */
import type { Chart } from 'chart.js';

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
const rounded = (value: number): string => String(Math.round(value * 10) / 10);

/** Names with numbers or texts as the attributes of an element. */
const attributes = (values: Readonly<Record<string, string | number>>): string =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${typeof value === 'number' ? rounded(value) : escaped(value)}"`)
    .join('');

const element = (name: string, values: Readonly<Record<string, string | number>>, content = ''): string =>
  `<${name}${attributes(values)}${content === '' ? '/>' : `>${content}</${name}>`}`;

export interface ChartColors {
  readonly background: string;
  readonly ink: string;
  readonly line: string;
}

interface Bar {
  readonly x: number;
  readonly y: number;
  readonly base: number;
  readonly width: number;
  readonly height: number;
  readonly horizontal: boolean;
}

const barElement = (bar: Bar, fill: string): string => {
  const { x, y, base, width, height, horizontal } = bar;
  return horizontal
    ? element('rect', { x: Math.min(x, base), y: y - height / 2, width: Math.abs(x - base), height, fill })
    : element('rect', { x: x - width / 2, y: Math.min(y, base), width, height: Math.abs(y - base), fill });
};

const tickLabel = (label: unknown): string => (Array.isArray(label) ? label.join(' ') : String(label ?? ''));

const axisElements = (chart: Chart, { ink, line }: ChartColors): string => {
  const { left, right, top, bottom } = chart.chartArea;
  return Object.values(chart.scales)
    .flatMap((scale) =>
      scale.ticks.map((tick, index) => {
        const at = scale.getPixelForTick(index);
        const isGrid = scale.type === 'linear';
        const label = escaped(tickLabel(tick.label));
        if (!scale.isHorizontal())
          return (
            (isGrid ? element('line', { x1: left, x2: right, y1: at, y2: at, stroke: line }) : '') +
            element('text', { x: left - 8, y: at + 4, 'text-anchor': 'end', fill: ink }, label)
          );
        const angle = (scale as unknown as { labelRotation?: number }).labelRotation ?? 0;
        const place = { x: at, y: bottom + 18, fill: ink, 'text-anchor': angle === 0 ? 'middle' : 'end' };
        const turned = angle === 0 ? {} : { transform: `rotate(${rounded(-angle)} ${rounded(at)} ${rounded(bottom + 18)})` };
        return (
          (isGrid ? element('line', { x1: at, x2: at, y1: top, y2: bottom, stroke: line }) : '') +
          element('text', { ...place, ...turned }, label)
        );
      }),
    )
    .join('');
};

const dataElements = (chart: Chart): string =>
  chart.data.datasets
    .map((dataset, index) => {
      const { type, data } = chart.getDatasetMeta(index);
      const color = String(dataset.backgroundColor);
      if (type === 'bar')
        return (data as unknown as Bar[]).map((bar) => (Number.isFinite(bar.x + bar.y) ? barElement(bar, color) : '')).join('');
      const points = data.filter(({ x, y, skip }: { x: number; y: number; skip?: boolean }) => !skip && Number.isFinite(x + y));
      const path = points.map(({ x, y }) => `${rounded(x)},${rounded(y)}`).join(' ');
      const dots = points.map(({ x, y }) => element('circle', { cx: x, cy: y, r: 3, fill: color })).join('');
      return element('polyline', { points: path, fill: 'none', stroke: color, 'stroke-width': 2 }) + dots;
    })
    .join('');

/** The names of the series, in rows above the chart. */
const legendElements = (chart: Chart, { ink }: ChartColors): string => {
  const { datasets } = chart.data;
  if (datasets.length < 2) return '';
  const { legendHitBoxes = [] } = (chart.legend ?? {}) as { legendHitBoxes?: readonly { left: number; top: number; height: number }[] };
  return datasets
    .map(({ label = '', backgroundColor }, index) => {
      const { left = 0, top = 0, height = 12 } = legendHitBoxes[index] ?? {};
      const swatch = element('rect', { x: left, y: top + height / 2 - 6, width: 12, height: 12, fill: String(backgroundColor) });
      return swatch + element('text', { x: left + 18, y: top + height / 2 + 4, fill: ink }, escaped(label));
    })
    .join('');
};

/** The chart with a title, as the text of an SVG file. */
export const svgOf = (chart: Chart, title: string, colors: ChartColors): string => {
  const { width, height } = chart;
  const titleHeight = 32;
  const content =
    element('title', {}, escaped(title)) +
    element('rect', { width, height: height + titleHeight, fill: colors.background }) +
    element('text', { x: 8, y: 22, fill: colors.ink, 'font-size': 16, 'font-weight': '600' }, escaped(title)) +
    element(
      'g',
      { transform: `translate(0 ${titleHeight})` },
      legendElements(chart, colors) + axisElements(chart, colors) + dataElements(chart),
    );
  return element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      width,
      height: height + titleHeight,
      viewBox: `0 0 ${rounded(width)} ${rounded(height + titleHeight)}`,
      'font-family': 'system-ui, sans-serif',
      'font-size': 12,
      role: 'img',
    },
    content,
  );
};

/** The chart with a title on an opaque background. */
export const pngOf = (chart: Chart, title: string, { background, ink }: ChartColors): Promise<Blob> => {
  const ratio = chart.canvas.width / chart.width;
  const titleHeight = 32 * ratio;
  const canvas = document.createElement('canvas');
  canvas.width = chart.canvas.width;
  canvas.height = chart.canvas.height + titleHeight;
  const drawing = canvas.getContext('2d') as CanvasRenderingContext2D;
  drawing.fillStyle = background;
  drawing.fillRect(0, 0, canvas.width, canvas.height);
  drawing.fillStyle = ink;
  drawing.font = `600 ${16 * ratio}px system-ui, sans-serif`;
  drawing.fillText(title, 8 * ratio, 22 * ratio);
  drawing.drawImage(chart.canvas, 0, titleHeight);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The browser makes no PNG.'))), 'image/png'),
  );
};
