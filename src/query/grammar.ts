/**
 * Parses the lists in parameters of groups (contract: conditions on groups). An item is a comparison such as `count>=2`, a call such as
 * `status:in(accepted,closed)`, conditions in a connective such as `any(status=new,total_net>1000)`, or plain text. Conditions can have a row
 * function such as `days(order_date,closed_date)` or a number of related rows such as `orders:count(status=new)` in the place of a name. A
 * quoted value can contain any text; a quote in it is doubled.
 */
import {
  type ComparisonOperator,
  type Connective,
  connectiveNames,
  isConnective,
  quantifierCalls,
  relatedCount,
  signs,
} from '../plan/vocabulary/operators.ts';
import { type Aggregate, aggregateNames, type RowFunction, rowFunctionNames } from '../plan/vocabulary/values.ts';

/** A value that a condition can have in the place of a name. Its text is then the name of the item. */
export type Subject =
  | { readonly is: 'applied'; readonly call: RowFunction; readonly of: readonly Item[] }
  | { readonly is: 'counted'; readonly relation: string; readonly of: readonly Item[] };

interface Named {
  readonly name: string;
  readonly subject?: Subject;
}

export type Item = { readonly text: string } & (
  | { readonly is: 'plain'; readonly value: string }
  | (Named & { readonly is: 'compared'; readonly by: ComparisonOperator; readonly value: string; readonly isQuoted: boolean })
  /** `of` is undefined without parentheses. */
  | (Named & { readonly is: 'called'; readonly call: string; readonly of: readonly Item[] | undefined })
  | { readonly is: 'joined'; readonly by: Connective; readonly of: readonly Item[] }
  /** A row function as an argument of an aggregate: `days(order_date,closed_date)`. */
  | { readonly is: 'applied'; readonly call: RowFunction; readonly of: readonly Item[] }
  | { readonly is: 'invalid'; readonly reason: string }
);

const anySign = signs.map(([sign]) => sign).join('|');
const comparedPattern = new RegExp(`([\\w.]+)\\s*(${anySign})`, 'y');
const signPattern = new RegExp(`\\s*(${anySign})`, 'y');
const calledPattern = /([\w.]+)\s*:\s*(\w+)/y;
const callPattern = /\s*:\s*(\w+)/y;
const appliedPattern = new RegExp(`(${rowFunctionNames.join('|')})(?=\\()`, 'y');
const joinedPattern = new RegExp(`(${connectiveNames.join('|')})(?=\\()`, 'y');
/** The second group is empty if the quote does not end. */
const quotedPattern = /"((?:[^"]|"")*)("?)/y;
const blanks = /\s*/y;
const comma = /,/y;
const opening = /\s*\(/y;
const closing = /\)/y;
/** The rest of an item, in a list and within parentheses. */
const restPattern = /[^,]*/y;
const innerRestPattern = /[^,)]*/y;

/** Calls within calls. Deeper ones are plain text. */
export const maxDepth = 8;

/** Whether the items of a call, or of a list, can be conditions. */
const takesConditions = (call: string): boolean =>
  call === '' ||
  call === relatedCount.call ||
  isConnective(call) ||
  quantifierCalls.has(call) ||
  aggregateNames.includes(call as Aggregate);

const reasons = {
  quote: 'has a quote that does not end the value; double a quote inside of one',
  parenthesis: 'has a parenthesis that is not closed',
  after: 'has text after its parentheses',
} as const;

/** A position in the text. */
class Reader {
  at = 0;
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }

  /** The match of a sticky pattern at the position, which then moves behind it. */
  take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.text) ?? undefined;
    if (match) this.at = pattern.lastIndex;
    return match;
  }
}

/** A value up to the end of its item, without the blanks around it. Undefined if a quote does not end it. */
const valueIn = (reader: Reader, rest: RegExp): string | undefined => {
  reader.take(blanks);
  const quoted = reader.take(quotedPattern);
  const after = reader.take(rest)![0].trimEnd();
  if (!quoted) return after;
  return quoted[2] && after === '' ? quoted[1]!.replaceAll('""', '"') : undefined;
};

type Parsed<I extends Item = Item> = I extends Item ? Omit<I, 'text'> : never;

/** The items of a call in parentheses; undefined without any, and `invalid` if they are not closed. */
const argumentsIn = (reader: Reader, depth: number, call: string): readonly Item[] | 'invalid' | undefined => {
  const of = reader.take(opening) && itemsIn(reader, depth + 1, call);
  return of && !reader.take(closing) ? 'invalid' : of;
};

/** A comparison by a sign, whose value begins at the position. */
const comparisonBy = (sign: string, reader: Reader, rest: RegExp, named: Named): Parsed => {
  reader.take(blanks);
  const isQuoted = reader.text[reader.at] === '"';
  const value = valueIn(reader, rest);
  const by = signs.find(([each]) => each === sign)![1];
  return value === undefined ? { is: 'invalid', reason: reasons.quote } : { is: 'compared', ...named, by, value, isQuoted };
};

/** The comparison of a subject that ends at the position, or the call on it. Undefined if neither follows. */
const statementOn = (subject: Subject, start: number, reader: Reader, rest: RegExp, depth: number): Parsed | undefined => {
  const named: Named = { name: reader.text.slice(start, reader.at), subject };
  const [, sign] = reader.take(signPattern) ?? [];
  if (sign !== undefined) return comparisonBy(sign, reader, rest, named);
  const [, call] = (subject.is === 'applied' && depth < maxDepth && reader.take(callPattern)) || [];
  if (call === undefined) return undefined;
  const of = argumentsIn(reader, depth, call);
  if (of === 'invalid') return { is: 'invalid', reason: reasons.parenthesis };
  return reader.take(rest)![0].trim() === '' ? { is: 'called', ...named, call, of } : { is: 'invalid', reason: reasons.after };
};

/** `within` is the call whose argument the item is. */
const parseItem = (reader: Reader, depth: number, within: string): Parsed => {
  const rest = depth > 0 ? innerRestPattern : restPattern;
  const start = reader.at;
  const hasConditions = takesConditions(within);
  const [, applied] = (hasConditions && reader.take(appliedPattern)) || [];
  const [, by] = (depth < maxDepth && hasConditions && reader.take(joinedPattern)) || [];
  const unnamed = applied ?? by;
  if (unnamed !== undefined) {
    const of = argumentsIn(reader, depth, unnamed) ?? [];
    if (of === 'invalid') return { is: 'invalid', reason: reasons.parenthesis };
    const value = applied === undefined ? undefined : ({ is: 'applied', call: applied as RowFunction, of } as const);
    const stated = value && statementOn(value, start, reader, rest, depth);
    if (stated) return stated;
    if (reader.take(rest)![0].trim() !== '') return { is: 'invalid', reason: reasons.after };
    return value ?? { is: 'joined', by: by as Connective, of };
  }
  const [, name, sign] = reader.take(comparedPattern) ?? [];
  if (name !== undefined && sign !== undefined) return comparisonBy(sign, reader, rest, { name });
  const [, called, call = ''] = (depth < maxDepth && reader.take(calledPattern)) || [];
  if (called !== undefined) {
    const of = argumentsIn(reader, depth, call);
    if (of === 'invalid') return { is: 'invalid', reason: reasons.parenthesis };
    const isCount = hasConditions && call === relatedCount.call;
    const stated = isCount && statementOn({ is: 'counted', relation: called, of: of ?? [] }, start, reader, rest, depth);
    if (stated) return stated;
    if (reader.take(rest)![0].trim() === '') return { is: 'called', name: called, call, of };
    if (of) return { is: 'invalid', reason: reasons.after };
    reader.at = start;
  }
  const value = valueIn(reader, rest);
  return value === undefined ? { is: 'invalid', reason: reasons.quote } : { is: 'plain', value };
};

const itemsIn = (reader: Reader, depth: number, within = ''): readonly Item[] => {
  const items: Item[] = [];
  do {
    reader.take(blanks);
    const start = reader.at;
    const item = parseItem(reader, depth, within);
    const text = reader.text.slice(start, reader.at).trim();
    if (text !== '') items.push({ ...item, text } as Item);
  } while (reader.take(comma));
  return items;
};

/** The items of a list. Empty ones are left out. */
export const parseList = (text: string): readonly Item[] => itemsIn(new Reader(text), 0);

/** The values of a list, of which a quoted one can contain commas. Undefined if a quote does not end its value. */
export const parseValues = (text: string): readonly string[] | undefined => {
  const reader = new Reader(text);
  const values: (string | undefined)[] = [];
  do {
    reader.take(blanks);
    values.push(valueIn(reader, restPattern));
  } while (reader.take(comma));
  return values.includes(undefined) ? undefined : (values as readonly string[]);
};
