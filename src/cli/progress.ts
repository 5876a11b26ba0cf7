/** The progress of loads and moves on a terminal or in a log. */
import type { MoveStep } from '../database/cluster/move-customer.ts';
import type { Phase, Progress } from '../sync/request.ts';
import { printableStyled } from './terminal.ts';

const intervalMs = 1_000;

const doing: Record<Phase, string> = {
  wait: 'waiting for another load or a move of',
  read: 'reading',
  load: 'loading',
  check: 'checking',
  compare: 'comparing',
  apply: 'applying',
  publish: 'publishing',
  verify: 'checking the data of',
};

const number = (value: number) => Math.round(value).toLocaleString('en');

/** Writes a line to standard error: the same line again on a terminal, a new one elsewhere. */
const show = (text: string): void =>
  void process.stderr.write(process.stderr.isTTY ? `\r\x1b[K${printableStyled(text)}` : `${printableStyled(text)}\n`);
const endLine = (): void => void (process.stderr.isTTY && process.stderr.write('\n'));

const megabytes = (bytes: number) => (bytes / 2 ** 20).toFixed(1);

/** Writes the progress of a move. It has no step while the move waits for a load. */
export const showMove = (customer: string): { readonly progress: (step?: MoveStep) => void; readonly done: () => void } => {
  let hasShown = false;
  return {
    progress: (step) => {
      hasShown = true;
      if (!step) return show(`${customer}: waiting for a load`);
      show(`${customer}: ${step.status.toLowerCase()}, ${megabytes(step.copied)} of ${megabytes(step.total)} MB`);
    },
    done: () => {
      if (hasShown) endLine();
    },
  };
};

/** Writes progress to standard error: one updated line on a terminal, at most one line a second elsewhere. */
export const showProgress = (customer: string): { readonly progress: Progress; readonly done: (isDryRun?: boolean) => void } => {
  const started = performance.now();
  let rows = 0;
  let readingMs = 0;
  let shownAt = Number.NEGATIVE_INFINITY;
  const seconds = () => ((performance.now() - started) / 1000).toFixed(1);
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
      show(`${customer}: ${loaded} in ${seconds()} s`);
      endLine();
    },
  };
};
