/** How long ago, for people. */
import type { LanguageCode } from './values.ts';

const spans = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

export const ageText = (seconds: number, language: LanguageCode): string => {
  const format = new Intl.RelativeTimeFormat(language, { style: 'short' });
  const [unit, size] = spans.find(([, each]) => seconds >= each) ?? (['second', 1] as const);
  return format.format(-Math.floor(seconds / size), unit);
};
