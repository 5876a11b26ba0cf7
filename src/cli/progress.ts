/** The progress of a load on a terminal or in a log. */
import type { Phase, Progress } from '../sync/request.ts';

const intervalMs = 1_000;

const doing: Record<Phase, string> = {
  wait: 'waiting for another load of',
  read: 'reading',
  load: 'loading',
  check: 'checking',
  compare: 'comparing',
  apply: 'applying',
  publish: 'publishing',
};

const number = (value: number) => Math.round(value).toLocaleString('en');

/** Writes progress to standard error: one updated line on a terminal, at most one line a second elsewhere. */
export const showProgress = (customer: string): { readonly progress: Progress; readonly done: (isDryRun?: boolean) => void } => {
  const { stderr } = process;
  const started = performance.now();
  let rows = 0;
  let readingMs = 0;
  let shownAt = Number.NEGATIVE_INFINITY;
  const seconds = () => ((performance.now() - started) / 1000).toFixed(1);
  const show = (text: string) => stderr.write(stderr.isTTY ? `\r\x1b[K${text}` : `${text}\n`);
  return {
    progress: (phase, subject, count = 0) => {
      rows += count;
      if (count > 0) readingMs = performance.now() - started;
      if (phase !== 'wait' && performance.now() - shownAt < intervalMs) return;
      shownAt = performance.now();
      const rate = readingMs > 0 ? `, ${number((rows * 1000) / readingMs)} rows/s` : '';
      show(`${customer}: ${doing[phase]} ${subject}, ${number(rows)} rows in ${seconds()} s${rate}`);
    },
    done: (isDryRun = false) => {
      const loaded = isDryRun ? `would load ${number(rows)} rows, read` : `${number(rows)} rows loaded`;
      show(`${customer}: ${loaded} in ${seconds()} s${stderr.isTTY ? '\n' : ''}`);
    },
  };
};
