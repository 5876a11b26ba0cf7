/** A response body that is held in memory: its chunks, and its compressed forms. */

export const encodings = ['br', 'gzip'] as const;
export type Encoding = (typeof encodings)[number];

/** Total length of the chunks in bytes. */
export const lengthOf = (chunks: readonly Buffer[]): number => chunks.reduce((sum, { length }) => sum + length, 0);

/** The compressed forms of a body that may be sent again. */
export interface CompressedForms {
  get(encoding: Encoding): Buffer | undefined;
  set(encoding: Encoding, bytes: Buffer): void;
}
