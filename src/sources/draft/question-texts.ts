/**
 * Questions of drafts that a person can answer by a click. A source file has only their text, so what writes a text and what knows it again
 * stand together.
 */
import type { Step } from '../source-file.ts';

/** Steps that bring numbers into the unit of their target, if a person says that they are in another one. */
const unitQuestions = {
  squareFeet: {
    steps: [{ multiply: 0.09290304 }, { round: 2 }],
    answer: 'The values are square feet',
    asks: 'whether the area is in square feet',
  },
  cents: { steps: [{ multiply: 0.01 }], answer: 'The values are cents', asks: 'are the amounts in cents' },
} as const satisfies Readonly<Record<string, { readonly steps: readonly Step[]; readonly answer: string; readonly asks: string }>>;

type UnitName = keyof typeof unitQuestions;

export const unitSteps = (unit: UnitName): Step[] => [...unitQuestions[unit].steps];

const stated = (unit: UnitName): string =>
  `[${unitQuestions[unit].steps.map((step) => `{ ${Object.entries(step).map(([name, value]) => `${name}: ${value}`)} }`).join(', ')}]`;

export const squareFeetQuestion = (column: string): string =>
  `${column}: the list has American forms and does not say ${unitQuestions.squareFeet.asks}. State apply: ${stated('squareFeet')}, or nothing for square metres.`;

export const centsQuestion = (column: string, example: string): string =>
  `${column}: ${unitQuestions.cents.asks}, such as ${example}? Then state apply: ${stated('cents')}; otherwise remove this question`;

/** The units that a question asks about, each with its answer. */
export const unitsAskedIn = (question: string): readonly (typeof unitQuestions)[UnitName][] =>
  Object.values(unitQuestions).filter(({ asks }) => question.includes(asks));

export const fillDownQuestion = (column: string): string =>
  `${column} is empty in most rows below a value. If a value counts for the rows below it, state fillDown; otherwise remove this question`;

/** The column that a question asks to fill down. */
export const fillDownAskedIn = (question: string): string | undefined =>
  /(?:^|\. )(.+?) is empty in most rows below a value/.exec(question)?.[1];

const lastRow = 'latest: $position';

/** `words` say which rows repeat a key. */
export const repeatedKeyQuestion = (words: string): string =>
  `${words}. Correct these lines, state further columns in primaryKey, or ${lastRow} if the last one counts`;

/** Whether a question asks which of the rows with one key counts. */
export const asksForLastRow = (question: string): boolean => question.includes(lastRow);

/** Whether a question asks in which form numbers or days are written. */
export const asksForFormats = (question: string): boolean => /formats/i.test(question);
