/** Numbers and times in readable form, in English by default. Times are in UTC. */
import { type LanguageCode, locales } from './language.ts';

const whole = { en: new Intl.NumberFormat(locales.en), de: new Intl.NumberFormat(locales.de) } as const;

export const formatCount = (value: number, language: LanguageCode = 'en'): string => whole[language].format(value);

/** Large numbers in short: `1.2 k`, `34 M`. */
export const formatShort = (value: number): string => {
  const [divisor, unit] = value >= 1e9 ? [1e9, ' G'] : value >= 1e6 ? [1e6, ' M'] : value >= 1e4 ? [1e3, ' k'] : [1, ''];
  const scaled = value / divisor;
  return `${scaled >= 100 || divisor === 1 ? whole.en.format(Math.round(scaled)) : scaled.toFixed(1)}${unit}`;
};

export const formatBytes = (value: number, language: LanguageCode = 'en'): string => {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  const power = Math.min(units.length - 1, value < 1 ? 0 : Math.floor(Math.log10(value) / 3));
  const scaled = value / 1000 ** power;
  const digits = scaled >= 100 || power === 0 ? 0 : 1;
  const number = scaled.toLocaleString(locales[language], { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return `${number} ${units[power]}`;
};

/** `2026-11-21`; in German, `21.11.2026` */
const formatDay = (time: Date, language: LanguageCode): string => {
  const day = time.toISOString().slice(0, 10);
  return language === 'en' ? day : day.split('-').reverse().join('.');
};

/** `2026-11-21 09:30 UTC` */
export const formatTime = (time: Date, language: LanguageCode = 'en'): string =>
  `${formatDay(time, language)} ${time.toISOString().slice(11, 16)} UTC`;

const minute = 60_000;
const spans = [
  [minute, 'min'],
  [60 * minute, 'h'],
  [24 * 60 * minute, 'd'],
] as const;

type SpanUnit = (typeof spans)[number][1];

interface DistanceTexts {
  readonly soon: string;
  readonly now: string;
  readonly amount: (length: number, unit: SpanUnit) => string;
  readonly ahead: (amount: string) => string;
  readonly ago: (amount: string) => string;
}

const distances: Readonly<Record<LanguageCode, DistanceTexts>> = {
  en: {
    soon: 'in a moment',
    now: 'just now',
    amount: (length, unit) => `${length} ${unit}`,
    ahead: (amount) => `in ${amount}`,
    ago: (amount) => `${amount} ago`,
  },
  de: {
    soon: 'gleich',
    now: 'gerade eben',
    amount: (length, unit) => `${length} ${unit === 'd' ? (length === 1 ? 'Tag' : 'Tagen') : unit === 'h' ? 'Std.' : 'Min.'}`,
    ahead: (amount) => `in ${amount}`,
    ago: (amount) => `vor ${amount}`,
  },
};

/** Seconds as `40 seconds`, or in minutes, rounded up, as `12 minutes`. */
export const formatDuration = (seconds: number): string => {
  const [amount, unit] = seconds > 90 ? [Math.ceil(seconds / 60), 'minute'] : [Math.ceil(seconds), 'second'];
  return `${amount} ${unit}${amount === 1 ? '' : 's'}`;
};

/** `5 min ago`, `in 3 d`; times further than 60 days away as a date. */
export const formatDistance = (time: Date, now = Date.now(), language: LanguageCode = 'en'): string => {
  const distance = Math.abs(time.getTime() - now);
  const isAhead = time.getTime() > now;
  const texts = distances[language];
  if (distance < minute) return isAhead ? texts.soon : texts.now;
  if (distance > 60 * 24 * 60 * minute) return formatDay(time, language);
  const [length, unit] = spans.findLast(([min]) => distance >= min) ?? spans[0];
  const amount = texts.amount(Math.floor(distance / length), unit);
  return isAhead ? texts.ahead(amount) : texts.ago(amount);
};
