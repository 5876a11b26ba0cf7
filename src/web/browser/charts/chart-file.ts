/** A drawn chart as a PNG file. */
import type { Chart } from 'chart.js';

export interface ChartColors {
  readonly background: string;
  readonly ink: string;
}

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
