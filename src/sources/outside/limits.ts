/** The limits of what comes over HTTP. Pages and documents state them. Larger deliveries are loaded on the command line. */
export const outsideLimits = {
  /** Files of one delivery, bytes of a file, bytes of all. */
  files: 100,
  fileBytes: 64_000_000,
  totalBytes: 500_000_000,
  /** Bytes of a source file. */
  sourceBytes: 256 * 1024,
  /** Deliveries that a process of the service reads at once. */
  loads: 2,
  /** The heap of the process that reads, and its whole memory, in megabytes. */
  heapMegabytes: 512,
  memoryMegabytes: 1_024,
  /** The time of all reading, and the time without any progress. */
  seconds: 600,
  quietSeconds: 60,
} as const;

/** A row with more characters is refused, so that one message has a bound. */
export const longestRow = 2 ** 20;
