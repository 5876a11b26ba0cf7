/** Numbers and times in readable form. Times are in UTC. */

const whole = new Intl.NumberFormat('en');

export const formatCount = (value: number): string => whole.format(value);

/** Large numbers in short: `1.2 k`, `34 M`. */
export const formatShort = (value: number): string => {
  const [divisor, unit] = value >= 1e9 ? [1e9, ' G'] : value >= 1e6 ? [1e6, ' M'] : value >= 1e4 ? [1e3, ' k'] : [1, ''];
  const scaled = value / divisor;
  return `${scaled >= 100 || divisor === 1 ? whole.format(Math.round(scaled)) : scaled.toFixed(1)}${unit}`;
};

export const formatBytes = (value: number): string => {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  const power = Math.min(units.length - 1, value < 1 ? 0 : Math.floor(Math.log10(value) / 3));
  const scaled = value / 1000 ** power;
  return `${scaled >= 100 || power === 0 ? Math.round(scaled) : scaled.toFixed(1)} ${units[power]}`;
};

/** `2026-11-21 09:30 UTC` */
export const formatTime = (time: Date): string => `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

const minute = 60_000;
const spans = [
  [minute, 'min'],
  [60 * minute, 'h'],
  [24 * 60 * minute, 'd'],
] as const;

/** Seconds as `40 seconds`, or in minutes, rounded up, as `12 minutes`. */
export const formatDuration = (seconds: number): string => {
  const [amount, unit] = seconds > 90 ? [Math.ceil(seconds / 60), 'minute'] : [Math.ceil(seconds), 'second'];
  return `${amount} ${unit}${amount === 1 ? '' : 's'}`;
};

/** `5 min ago`, `in 3 d`; times further than 60 days away as a date. */
export const formatDistance = (time: Date, now = Date.now()): string => {
  const distance = Math.abs(time.getTime() - now);
  if (distance < minute) return time.getTime() > now ? 'in a moment' : 'just now';
  if (distance > 60 * 24 * 60 * minute) return time.toISOString().slice(0, 10);
  const [length, unit] = spans.findLast(([min]) => distance >= min) ?? spans[0];
  const amount = `${Math.floor(distance / length)} ${unit}`;
  return time.getTime() > now ? `in ${amount}` : `${amount} ago`;
};
