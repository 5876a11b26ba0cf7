/**
 * Parses conditions on groups in REST: `count>=2,status="a,b"` (contract: conditions on groups). A quoted value can contain commas and
 * doubled quotes.
 */
import { kinds } from '../catalogue/kinds.ts';
import { beyondRange, type Comparison, type Condition, comparisons } from './condition.ts';
import type { Term } from './groups.ts';

/** The signs of comparisons. Longer signs come first, because a short sign can be the beginning of a longer one. */
const operators: readonly (readonly [sign: string, by: Comparison])[] = [
  ['!=', 'ne'],
  ...(Object.entries(comparisons) as [Comparison, string][])
    .filter(([by]) => by !== 'ne')
    .map(([by, sign]) => [sign, by] as const)
    .sort(([one], [other]) => other.length - one.length),
];
const signs = operators.map(([sign]) => sign).join('|');

/** One condition. It ends at a comma outside of quotes. */
const partPattern = new RegExp(`[^,"<>=!]*(?:${signs})"(?:[^"]|"")*"?[^,]*|[^,]+`, 'g');
const comparisonPattern = new RegExp(`^(\\w+?)(${signs})(.*)$`, 's');
const quotedPattern = /^"((?:[^"]|"")*)"$/;

export interface Comparing {
  readonly name: string;
  readonly by: Comparison;
  readonly value: string;
}

/** Splits the parameter into its conditions. */
export const splitHaving = (text: string): readonly string[] => (text.match(partPattern) ?? []).flatMap((part) => part.trim() || []);

/** Parses one condition. For an invalid condition, returns the reason. */
export const parseComparison = (text: string): Comparing | string => {
  const [, name, sign, written = ''] = comparisonPattern.exec(text) ?? [];
  if (name === undefined) return 'is no comparison such as count>=2';
  const by = operators.find(([each]) => each === sign)![1];
  if (!written.startsWith('"')) return { name, by, value: written };
  const inside = quotedPattern.exec(written)?.[1];
  return inside === undefined
    ? 'has a quote that does not end the value; double a quote inside of one'
    : { name, by, value: inside.replaceAll('""', '"') };
};

/** The condition that compares a key or a value. Undefined if the text is not a value of its kind. */
export const conditionOn = ({ column, kind }: Pick<Term, 'column' | 'kind'>, { by, value }: Comparing): Condition | undefined => {
  const parsed = kinds[kind].parse(value);
  return parsed === undefined ? beyondRange(column, kind, by, value) : { is: 'compared', column, kind, by, value: parsed };
};
