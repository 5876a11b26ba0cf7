/** The functions of `apply`. They are few, and each takes text and returns text. */
import { Rejection } from '../../sync/files/rejections.ts';
import type { Formats, Step } from '../source-file.ts';
import { dateParser } from './dates.ts';
import { isPlainNumber, multiplyDecimal, numberParser, roundDecimal } from './numbers.ts';

/** `isPlain`: the text is in the form of a typed value, so the formats of the export do not apply. */
export interface Applied {
  readonly text: string;
  readonly isPlain: boolean;
}

type Apply = (value: Applied) => Applied;

const onText =
  (change: (text: string) => string): Apply =>
  ({ text, isPlain }) => ({ text: change(text), isPlain });

const compile = (step: Step, formats: Formats): Apply => {
  const toNumber = numberParser(formats);
  const toMoment = dateParser(formats);
  const onNumber =
    (change: (digits: string) => string): Apply =>
    ({ text, isPlain }) => ({ text: change(isPlain && isPlainNumber(text) ? text : toNumber(text)), isPlain: true });
  const onDay =
    (change: (day: string) => string): Apply =>
    ({ text }) => ({ text: change(toMoment(text).day), isPlain: true });
  if (typeof step === 'object') {
    if ('left' in step) return onText((text) => [...text].slice(0, step.left).join(''));
    if ('right' in step) return onText((text) => (step.right === 0 ? '' : [...text].slice(-step.right).join('')));
    if ('padStart' in step) return onText((text) => text.padStart(step.padStart, '0'));
    if ('round' in step) return onNumber((digits) => roundDecimal(digits, step.round));
    if ('period' in step) return onDay((day) => String(((Number(day.slice(5, 7)) - step.period + 12) % 12) + 1));
    if ('multiply' in step) return onNumber((digits) => multiplyDecimal(digits, step.multiply));
    return onText((text) => text.replaceAll(step.replace, () => step.with));
  }
  switch (step) {
    case 'upper':
      return onText((text) => text.toUpperCase());
    case 'lower':
      return onText((text) => text.toLowerCase());
    case 'digits':
      return onText((text) => text.replaceAll(/\D/g, ''));
    case 'absolute':
      return onNumber((digits) => digits.replace('-', ''));
    case 'negate':
      return onNumber((digits) => multiplyDecimal(digits, -1));
    case 'date':
      return onDay((day) => day);
    case 'year':
      return onDay((day) => day.slice(0, 4));
    case 'month':
      return onDay((day) => String(Number(day.slice(5, 7))));
    case 'firstOfMonth':
      return onDay((day) => `${day.slice(0, 7)}-01`);
    case 'unaccent':
      return onText((text) => text.normalize('NFD').replaceAll(/\p{M}/gu, ''));
    default:
      throw new Rejection(`apply: ${step satisfies never} is unknown`);
  }
};

/** The functions in order, as one. */
export const functionsOf = (steps: readonly Step[], formats: Formats): Apply => {
  const applied = steps.map((step) => compile(step, formats));
  return (value) => applied.reduce((current, apply) => apply(current), value);
};
