/** A log that records its lines. */
import { createLogger, type LogDestination } from '../../src/http/logger.ts';

// biome-ignore lint/suspicious/noExplicitAny: lines have any shape
type Line = Record<string, any>;

export const recordedLog = (level = 'info') => {
  const texts: string[] = [];
  const destination: LogDestination = { write: (text) => texts.push(text) };
  const lines = (): Line[] => texts.map((text) => JSON.parse(text));
  return {
    logger: createLogger(level, destination, false),
    texts,
    lines,
    /** The lines of requests. */
    requests: () => lines().filter(({ msg }) => msg === 'request'),
  };
};
