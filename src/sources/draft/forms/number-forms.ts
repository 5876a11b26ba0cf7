/**
 * The forms of numbers in a column. `1.200` can be 1200 and 1.2, so a separator before three digits says nothing by itself: other values of
 * the column say it, or other columns of the export, or the values that the target can have. Otherwise nobody but a person knows.
 */
import { bareOf } from '../../columns/numbers.ts';
import type { Formats } from '../../source-file.ts';
import { type QuestionName, questionText } from '../question-texts.ts';

type Separator = '.' | ',';

export interface NumberForms {
  /** Signs and words beside the numbers. */
  readonly edges: Pick<Formats, 'bareNumber' | 'trailingMinus' | 'parentheses'>;
  /** Separators that are before decimals for certain, and those between groups of three digits, each with a value that says so. */
  readonly decimals: ReadonlyMap<Separator, string>;
  readonly groups: ReadonlyMap<string, string>;
  /** Separators before three digits that can be both. */
  readonly open: ReadonlyMap<Separator, string>;
  /** The numbers of decimals. */
  readonly scales: ReadonlySet<number>;
  readonly units: ReadonlySet<string>;
  readonly hasDecimals: boolean;
  readonly isWhole: boolean;
  readonly hasLeadingZeros: boolean;
  readonly texts: readonly string[];
}

const shape = /^\d*(?:[.,' ]\d+)*(?:[.,](?:--?|[–—])?)?$/;
const liberal = { bareNumber: false, trailingMinus: true, parentheses: true } as const;

type Finding =
  | { readonly kind: 'whole' }
  | { readonly kind: 'open'; readonly separator: Separator }
  | { readonly kind: 'known'; readonly decimal?: Separator; readonly group?: string; readonly scale: number };

/** What the digits of one number say about its separators; undefined if they are no number. */
const findingOf = (digits: string): Finding | undefined => {
  if (/^\d+$/.test(digits)) return { kind: 'whole' };
  if (!/\d/.test(digits) || !shape.test(digits)) return undefined;
  const stroke = /([.,])(?:--?|[–—])?$/.exec(digits);
  const plain = stroke ? digits.slice(0, stroke.index) : digits;
  const separators = plain.replaceAll(/\d/g, '');
  const pieces = plain.split(/[.,' ]/);
  const [first = '', ...others] = pieces;
  const isGrouped = (parts: readonly string[]) => /^[1-9]\d{0,2}$/.test(first) && parts.every((part) => part.length === 3);
  const kinds = [...new Set(separators)];
  if (stroke) {
    const decimal = stroke[1] as Separator;
    if (kinds.length > 1 || kinds[0] === decimal || (kinds.length === 1 && !isGrouped(others))) return undefined;
    return { kind: 'known', decimal, scale: 0, ...(kinds[0] !== undefined && { group: kinds[0] }) };
  }
  const last = separators.at(-1)!;
  if (kinds.length === 1 && separators.length === 1) {
    const isOpen = isGrouped(others);
    if (last === "'" || last === ' ') return isOpen ? { kind: 'known', group: last, scale: 0 } : undefined;
    if (isOpen) return { kind: 'open', separator: last as Separator };
    return { kind: 'known', decimal: last as Separator, scale: others[0]!.length };
  }
  if (kinds.length === 1) return isGrouped(others) ? { kind: 'known', group: last, scale: 0 } : undefined;
  const before = separators.slice(0, -1);
  if (kinds.length > 2 || before.includes(last) || new Set(before).size > 1 || (last !== '.' && last !== ',')) return undefined;
  return isGrouped(others.slice(0, -1)) ? { kind: 'known', decimal: last, group: before[0]!, scale: others.at(-1)!.length } : undefined;
};

/** The forms of texts that are all numbers; undefined if one is none. */
export const numberFormsOf = (texts: readonly string[]): NumberForms | undefined => {
  if (texts.length === 0) return undefined;
  const [decimals, groups, open] = [new Map<Separator, string>(), new Map<string, string>(), new Map<Separator, string>()];
  const [scales, units] = [new Set<number>(), new Set<string>()];
  const edges = { bareNumber: true, trailingMinus: false, parentheses: false };
  let isWhole = true;
  let hasLeadingZeros = false;
  for (const text of texts) {
    const bare = bareOf(text, liberal);
    const finding = findingOf(bare.digits);
    if (!finding) return undefined;
    if (bare.units.length > 0) edges.bareNumber = false;
    for (const word of bare.units) units.add(word);
    if (bare.isTrailing) edges.trailingMinus = true;
    if (bare.isInParentheses) edges.parentheses = true;
    if (/^0\d/.test(bare.digits)) hasLeadingZeros = true;
    if (finding.kind === 'whole') continue;
    isWhole = false;
    if (finding.kind === 'open') open.set(finding.separator, text);
    else {
      if (finding.decimal) decimals.set(finding.decimal, text);
      if (finding.group) groups.set(finding.group, text);
      if (finding.decimal) scales.add(finding.scale);
    }
  }
  return {
    edges: {
      ...(!edges.bareNumber && { bareNumber: false }),
      ...(edges.trailingMinus && { trailingMinus: true }),
      ...(edges.parentheses && { parentheses: true }),
    },
    decimals,
    groups,
    open,
    scales,
    units,
    hasDecimals: decimals.size > 0,
    isWhole,
    hasLeadingZeros,
    texts,
  };
};

/** How a column is read, or what a person must say. */
export type Settled =
  | { readonly formats: Formats; readonly evidence: string; readonly question?: undefined }
  | { readonly question: string; readonly formats?: undefined; readonly evidence?: undefined };

const other = (separator: Separator): Separator => (separator === '.' ? ',' : '.');
const quote = (text: string): string => `"${text}"`;

const formatsFor = (decimal: Separator, groups: Iterable<string>, edges: NumberForms['edges']): Formats => {
  const [group = decimal === ',' ? '.' : undefined] = [...groups];
  return { ...(decimal === ',' && { decimalChar: ',' }), ...(group !== undefined && { groupChar: group }), ...edges };
};

/** The separator before decimals that other columns prove, with the column that does. */
export interface NumberConvention {
  readonly decimal: Separator;
  readonly evidence: string;
}

/** The numbers of the column under a reading. */
const readAs = ({ texts }: Pick<NumberForms, 'texts'>, decimal: Separator): number[] =>
  texts.map((text) => {
    const { digits, sign } = bareOf(text, liberal);
    const [whole = '', fraction = ''] = digits.split(decimal);
    return Number(`${sign}${whole.replaceAll(/\D/g, '') || '0'}.${fraction.replaceAll(/\D/g, '') || '0'}`);
  });

/** The separator of the decimals that the values of a column prove; undefined if they prove none, or two. */
export const provenDecimal = ({ decimals, groups }: NumberForms): Separator | undefined => {
  const proven = new Set([
    ...decimals.keys(),
    ...[...groups.keys()].filter((one) => one === '.' || one === ',').map((one) => other(one as Separator)),
  ]);
  return proven.size === 1 ? [...proven][0] : undefined;
};

/** Whether most values of a reading are within the range of the target, and those of the other are not. */
const choice = (forms: NumberForms, range: readonly [number, number] | undefined): Separator | undefined => {
  if (!range) return undefined;
  const share = (decimal: Separator) => {
    const values = readAs(forms, decimal).filter((value) => value !== 0);
    return values.filter((value) => Math.abs(value) >= range[0] && Math.abs(value) <= range[1]).length / Math.max(1, values.length);
  };
  const [point, comma] = [share('.'), share(',')];
  if (point >= 0.95 && comma <= 0.2) return '.';
  return comma >= 0.95 && point <= 0.2 ? ',' : undefined;
};

/**
 * Decides how the numbers of a column are read.
 *
 * @param convention what other columns of the export prove
 * @param range the values that the target can have
 */
export const settleNumbers = (
  name: string,
  forms: NumberForms,
  convention: NumberConvention | undefined,
  range?: readonly [number, number],
): Settled => {
  const { decimals, groups, open, scales, edges } = forms;
  const marks = [...groups.keys()].filter((one) => one !== '.' && one !== ',');
  const own = provenDecimal(forms);
  const ask = (sample: string, why: QuestionName, values: Readonly<Record<string, string>> = {}): Settled => ({
    question: questionText(why, { column: name, sample, whole: sample.replaceAll(/\D/g, ''), ...values }),
  });
  const [openExample] = open.values();
  if (decimals.size > 1 || (decimals.size > 0 && own === undefined) || (groups.has('.') && groups.has(',')))
    return {
      question: questionText('twoForms', {
        column: name,
        examples: [...decimals.values(), ...groups.values()].slice(0, 2).map(quote).join(' and '),
      }),
    };
  if (open.size > 1) return ask(openExample!, 'bothSeparators');
  if (own !== undefined) {
    const [example = ''] = [...decimals.values(), ...groups.values()];
    const doubtful = open.get(own);
    if (doubtful !== undefined && (decimals.size === 0 || [...scales].every((scale) => scale <= 2)) && !areCutZeros(forms, own))
      return ask(doubtful, 'twoFormsHere', { one: example, two: doubtful });
    const grouping = [...groups.keys(), ...(open.has(other(own)) ? [other(own)] : [])];
    return {
      formats: formatsFor(own, grouping, edges),
      evidence: `${quote(example)} has ${quote(own)} ${decimals.size > 0 ? 'before decimals' : 'in no decimals'}`,
    };
  }
  if (marks.length > 0) {
    if (openExample !== undefined) return ask(openExample, 'otherForms');
    return { formats: { groupChar: marks[0]!, ...edges }, evidence: `${quote([...groups.values()][0]!)} has groups of digits` };
  }
  if (openExample === undefined) return { formats: edges, evidence: 'whole numbers' };
  const [separator] = open.keys();
  const possible = choice(forms, range);
  const wanted = convention?.decimal;
  if (possible !== undefined && wanted !== undefined && possible !== wanted)
    return ask(openExample, 'otherColumns', { evidence: convention!.evidence });
  if (possible !== undefined)
    return {
      formats: formatsFor(possible, possible === separator ? [] : [separator!], edges),
      evidence: possible === wanted ? convention!.evidence : 'only then the values can be of this kind',
    };
  // Three decimals in each value are unusual, so other columns do not suffice for them.
  if (wanted === undefined || wanted === separator) return ask(openExample, 'separator');
  return { formats: formatsFor(wanted, [separator!], edges), evidence: convention!.evidence };
};

/** Decimals without zeros at their end: 62.5, 71.25 and 80.125. Then three decimals are decimals. */
const areCutZeros = ({ texts, scales }: NumberForms, decimal: Separator): boolean =>
  scales.size > 1 &&
  texts.every((text) => {
    const fraction = bareOf(text, liberal).digits.split(decimal)[1];
    return fraction === undefined || !fraction.endsWith('0');
  });
