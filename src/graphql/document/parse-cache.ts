/**
 * Caches valid documents, and the errors of invalid ones, by text. The limit is their memory, which depends on tokens: a document of short
 * words takes several times as much as one of long words.
 */
import type { DocumentNode } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { BoundedResult } from '../errors.ts';

const mebibyte = 2 ** 20;
/** The maximum memory of one token in bytes, with its nodes and location. Measurements gave 370 and 490. */
const bytesPerToken = 600;
const maxBytes = { documents: 32 * mebibyte, errors: 4 * mebibyte };
/** A larger document is not cached. */
const maxOfOne = 1.25 * mebibyte;

/** The approximate size of a parsed document in bytes. */
export const sizeOf = ({ loc }: DocumentNode, text: string): number => {
  let tokens = 0;
  for (let token = loc?.startToken; token; token = token.next ?? undefined) tokens++;
  return text.length + tokens * bytesPerToken;
};

/** Valid documents by their text. */
export const createDocumentCache = () => {
  const cache = new LRUCache<string, DocumentNode>({ maxSize: maxBytes.documents, maxEntrySize: maxOfOne, sizeCalculation: sizeOf });
  return { get: (text: string) => cache.get(text), set: (text: string, document: DocumentNode) => void cache.set(text, document) };
};

const bytesPerError = 2_000;

/** Errors of invalid documents by text. A result has no reference to its document. */
export const createRefusalCache = () => {
  const cache = new LRUCache<string, BoundedResult>({
    maxSize: maxBytes.errors,
    maxEntrySize: maxOfOne,
    sizeCalculation: ({ errors = [] }, text) => text.length + errors.length * bytesPerError,
  });
  return { get: (text: string) => cache.get(text), set: (text: string, refusal: BoundedResult) => void cache.set(text, refusal) };
};
