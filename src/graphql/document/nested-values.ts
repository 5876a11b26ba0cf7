/**
 * Measures the depth and number of the values in a document or its variables. It uses no recursion and runs before the values are coerced.
 */
import { exceeds, limits } from './limits.ts';

/** The maximum depth of literals and variables. */
const deepest = 3 * limits.nesting;

/** Counts a value and all values inside it. Throws `limitExceeded` for values that are nested too deeply. */
export const countValues = <Value>(value: Value, childrenOf: (value: Value) => Iterable<Value>): number => {
  let level = [value];
  let count = 0;
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > deepest) throw exceeds('nesting', depth);
    count += level.length;
    const inner: Value[] = [];
    for (const each of level) for (const child of childrenOf(each)) inner.push(child);
    level = inner;
  }
  return count;
};
