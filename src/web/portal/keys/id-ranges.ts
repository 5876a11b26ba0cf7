/** Property ids as text: single ids and ranges such as `1001-1250`, so that thousands of them fit into a field. */
import { maxListed } from '../../../access/scope.ts';
import { OperatorError } from '../../../errors.ts';

/** The parts of a list that commas, semicolons or spaces separate. */
export const itemsOf = (text: string | null): readonly string[] => (text ?? '').split(/[\s,;]+/).filter((part) => part !== '');

/** The ids of a list. Parts that are no ids stay text, so that the check of the scope names them. Throws an `OperatorError` for a bad range. */
export const idsIn = (text: string | null): readonly (number | string)[] => {
  let count = 0;
  return itemsOf(text).flatMap((part) => {
    const [, from, to] = /^(\d{1,10})-(\d{1,10})$/.exec(part) ?? [];
    const [first, last] = from && to ? [Number(from), Number(to)] : [0, 0];
    if (last < first) throw new OperatorError(`The range ${part} ends before it starts.`);
    count += last - first + 1;
    if (count > maxListed) throw new OperatorError(`A key lists at most ${maxListed} properties; name companies instead.`);
    if (from && to) return Array.from({ length: last - first + 1 }, (_, index) => first + index);
    return [/^\d{1,10}$/.test(part) ? Number(part) : part];
  });
};

/** The ids in order, with runs of at least three as ranges. Parts that are no ids come last. */
export const inRanges = (ids: readonly (number | string)[]): string => {
  const numbers = ids.filter((id) => typeof id === 'number').sort((one, other) => one - other);
  const parts: string[] = [];
  for (let start = 0; start < numbers.length; ) {
    let end = start;
    while (numbers[end + 1] === numbers[end]! + 1) end++;
    if (end - start >= 2) parts.push(`${numbers[start]}-${numbers[end]}`);
    else parts.push(...numbers.slice(start, end + 1).map(String));
    start = end + 1;
  }
  return [...parts, ...ids.filter((id) => typeof id === 'string')].join(', ');
};
