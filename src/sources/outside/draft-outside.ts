/** Drafts for files that came over HTTP: another process looks at them, within the limits of loads. */
import { outsideLimits } from './limits.ts';
import type { DraftedSource } from './protocol.ts';
import { type ReadingLimits, ReadingProcess } from './reading-process.ts';

export interface DraftOptions {
  /** The source that reads the files, if there is one: what it says of them takes the place of a proposal. */
  readonly text?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Receives the name of each file and list before it is read. */
  readonly see?: (name: string) => void;
  /** Only tests change the limits. */
  readonly limits?: { readonly [Name in keyof ReadingLimits]: number } | undefined;
}

/**
 * Proposes a source for the files of a folder that holds nothing else. Throws an `OperatorError` if no list can be read, or at a limit. The
 * reason of `signal` is thrown when it aborts.
 */
export const draftOutside = async (
  folder: string,
  { text, signal, see = () => {}, limits = outsideLimits }: DraftOptions = {},
): Promise<DraftedSource> => {
  const reading = new ReadingProcess(folder, signal, limits);
  try {
    const parts = reading.ask<'draft'>({ do: 'draft', ...(text !== undefined && { text }) });
    let next = await parts.next();
    for (; !next.done; next = await parts.next()) see(next.value.reads);
    return next.value;
  } finally {
    await reading.stop();
  }
};
