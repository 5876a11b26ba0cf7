/** The forms of a condition on one value, which a list offers to the reader. They follow from the vocabulary of operators. */
import type { Kind } from '../../../../catalogue/column.ts';
import { kinds } from '../../../../catalogue/kinds.ts';
import { conditionLabels, orderLabels } from '../../../../plan/vocabulary/labels.ts';
import {
  type CallName,
  type ComparisonOperator,
  calls,
  type Operator,
  operators,
  operatorsOn,
} from '../../../../plan/vocabulary/operators.ts';
import type { LanguageCode } from '../../described.ts';
import type { ValueCondition } from './condition-tree.ts';
import { dayAfter, daysBetween, monthsAfter, type TimeUnit } from './periods.ts';

/** Forms that are comparisons in the address. Their words are in the texts of the page. */
const ownForms = ['between', 'older', 'newer', 'next'] as const;
export type OwnForm = (typeof ownForms)[number];
type OperatorForm = ComparisonOperator | CallName;
export type Form = OperatorForm | OwnForm;

export const isOwnForm = (form: Form): form is OwnForm => ownForms.some((each) => each === form);

const isOperatorForm = (form: Form): form is OperatorForm => !isOwnForm(form);
const operatorOf = (form: OperatorForm): Operator => calls.get(form)?.operator ?? (form as ComparisonOperator);

/** What the reader enters: a value, several of them, a text, two bounds, a time from today, or nothing. */
export const inputOf = (form: Form): 'value' | 'values' | 'text' | 'nothing' | 'bounds' | 'time' =>
  isOperatorForm(form) ? operators[operatorOf(form)].takes : form === 'between' ? 'bounds' : 'time';

export const isMoment = (kind: Kind): boolean => kind === 'date' || kind === 'timestamp';

const inOrder = Object.keys(conditionLabels) as readonly OperatorForm[];

/** The forms for a kind, in their order. Those of the page come before the ones that few people need. */
export const formsOn = (kind: Kind): readonly Form[] => {
  const known = operatorsOn(kind);
  const given: readonly Form[] = inOrder.filter((form) => known.includes(operatorOf(form)));
  const { isOrdered, isText } = kinds[kind];
  const own: readonly Form[] = isMoment(kind) ? ownForms : isOrdered && !isText ? ['between'] : [];
  const at = given.indexOf('gte');
  return own.length > 0 ? given.toSpliced(at, 0, ...own) : given;
};

export const formOf = (condition: ValueCondition): OperatorForm | 'between' =>
  condition.is === 'compared' ? condition.by : condition.is === 'called' ? condition.call : 'between';

const isNumber = (kind: Kind): boolean => kinds[kind].isOrdered && !kinds[kind].isText && !isMoment(kind);

/** The words of an operator for values of a kind. */
export const operatorLabel = (form: OperatorForm, kind: Kind, language: LanguageCode): string => {
  const order: Partial<Readonly<Record<OperatorForm, Readonly<Record<LanguageCode, string>>>>> = isNumber(kind) ? {} : orderLabels;
  return (order[form] ?? conditionLabels[form])[language];
};

/** A number of units before or after today. */
export interface Distance {
  readonly count: number;
  readonly unit: TimeUnit;
}

/** The day at a distance from today; negative numbers are before it. */
const dayAt = (today: string, { count, unit }: Distance, sign: 1 | -1): string => {
  const steps = sign * count;
  if (unit === 'day' || unit === 'week') return dayAfter(today, steps * (unit === 'week' ? 7 : 1));
  return monthsAfter(today, steps * (unit === 'year' ? 12 : 1));
};

/** The text of a day as a value of a kind. Points in time are those of UTC. */
const dayValue = (day: string, kind: Kind): string => (kind === 'timestamp' && /^\d{4}-\d{2}-\d{2}$/.test(day) ? `${day}T00:00:00Z` : day);

/** The days from one to another, both included. */
export const betweenDays = (name: string, kind: Kind, from: string, to: string): ValueCondition | undefined => {
  const isTime = kind === 'timestamp';
  const end = isTime && to !== '' ? dayAfter(to, 1) : to;
  const by = isTime ? 'lt' : 'lte';
  if (from === '' && to === '') return undefined;
  if (from === '') return { is: 'compared', name, by, value: dayValue(end, kind) };
  if (to === '') return { is: 'compared', name, by: 'gte', value: dayValue(from, kind) };
  return { is: 'between', name, from: dayValue(from, kind), to: dayValue(end, kind), by };
};

/** The condition of a time from today: older or newer than it, or between today and a day to come. */
export const atDistance = (name: string, kind: Kind, form: OwnForm, distance: Distance, today: string): ValueCondition | undefined => {
  if (form === 'next') return betweenDays(name, kind, today, dayAt(today, distance, 1));
  return { is: 'compared', name, by: form === 'older' ? 'lt' : 'gte', value: dayValue(dayAt(today, distance, -1), kind) };
};

/** The distance of a condition from today, in days. */
export const distanceOf = (condition: ValueCondition | undefined, today: string): Distance => {
  const day = condition?.is === 'compared' ? condition.value : condition?.is === 'between' ? condition.to : undefined;
  const count = day === undefined ? Number.NaN : Math.abs(daysBetween(today, day.slice(0, 10)));
  return { count: count > 0 ? count : 30, unit: 'day' };
};

const firstMoment = /T00:00:00(?:\.0+)?(?:Z|\+00:00)$/;
const lastMoment = /T23:59:59(?:\.9+)?(?:Z|\+00:00)$/;

/** The first and the last day of bounds. Undefined if they are no whole days. */
export const daysOf = (condition: ValueCondition, kind: Kind): { readonly from: string; readonly to: string } | undefined => {
  const { from, to, by }: { readonly from: string; readonly to: string; readonly by: ComparisonOperator } =
    condition.is === 'between'
      ? condition
      : condition.is === 'compared' && condition.by === 'gte'
        ? { from: condition.value, to: '', by: 'lte' }
        : condition.is === 'compared' && (condition.by === 'lte' || condition.by === 'lt')
          ? { from: '', to: condition.value, by: condition.by }
          : { from: '', to: '', by: 'eq' };
  if (by === 'eq' || !isMoment(kind)) return undefined;
  const isDay = (text: string) => text === '' || kinds.date.parse(text.slice(0, 10)) !== undefined;
  if (!isDay(from) || !isDay(to)) return undefined;
  const isFirst = from === '' || kind === 'date' || firstMoment.test(from);
  const isLast = to === '' || kind === 'date' || (by === 'lt' ? firstMoment : lastMoment).test(to);
  if (!isFirst || !isLast) return undefined;
  const last = to.slice(0, 10);
  return { from: from.slice(0, 10), to: to !== '' && by === 'lt' ? dayAfter(last, -1) : last };
};
