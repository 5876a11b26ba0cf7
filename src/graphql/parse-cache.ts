/**
 * Parsed documents by their text, and errors of syntax, bounded by the memory that they take: a short text of short words takes
 * several times as much as one of long words, so what counts is tokens.
 */
import type { DocumentNode } from 'graphql';
import { LRUCache } from 'lru-cache';

const mebibyte = 2 ** 20;
/** What a token of a parsed document takes at most, in bytes, its nodes and its place included; 370 and 490 were measured. */
const bytesPerToken = 600;
const mostBytes = { documents: 32 * mebibyte, errors: 4 * mebibyte };
/** A document that takes more is parsed each time. */
const mostOfOne = 1.25 * mebibyte;

/** Bytes that a parsed document takes, about. */
export const sizeOf = ({ loc }: DocumentNode, text: string): number => {
  let tokens = 0;
  for (let token = loc?.startToken; token; token = token.next ?? undefined) tokens++;
  return text.length + tokens * bytesPerToken;
};

/** Yoga's cache of parsed documents. */
export const createDocumentCache = () => {
  const cache = new LRUCache<string, DocumentNode>({ maxSize: mostBytes.documents, maxEntrySize: mostOfOne, sizeCalculation: sizeOf });
  return { get: (text: string) => cache.get(text), set: (text: string, document: DocumentNode) => void cache.set(text, document) };
};

/** Yoga's cache of errors of syntax, each of which holds its text. */
export const createErrorCache = () => {
  const cache = new LRUCache<string, Error>({
    maxSize: mostBytes.errors,
    maxEntrySize: mostOfOne,
    sizeCalculation: (_error, text) => text.length + bytesPerToken,
  });
  return { get: (text: string) => cache.get(text), set: (text: string, error: Error) => void cache.set(text, error) };
};
