/** Random numbers and days in random forms: what the draft reads is the truth, or it asks. */
import { expect, test } from 'vitest';
import { dateParser } from '../../src/sources/columns/dates.ts';
import { numberParser } from '../../src/sources/columns/numbers.ts';
import { dateFormsOf, settleDates } from '../../src/sources/draft/forms/date-forms.ts';
import { numberFormsOf, provenDecimal, settleNumbers } from '../../src/sources/draft/forms/number-forms.ts';
import { seededRandom } from '../sync/support.ts';
import { once, pick, type Random } from './random/style.ts';

const styles = [
  [',', '.'],
  [',', ''],
  ['.', ','],
  ['.', ''],
  ['.', "'"],
  ['.', '’'],
  [',', ' '],
  [',', '\u00a0'],
] as const;

/** A number with its thousands, its currency and its sign. */
const writeNumber = (random: Random, text: string, [decimal, group]: (typeof styles)[number], look: number): string => {
  const [whole = '', fraction] = text.replace('-', '').split('.');
  const digits = group === '' ? whole : whole.replaceAll(/\B(?=(\d{3})+$)/g, group);
  const plain = fraction === undefined ? digits : `${digits}${decimal}${fraction}`;
  if (!text.startsWith('-')) return [plain, `${plain} €`, `€ ${plain}`, `$${plain}`, `${plain} CHF`][look % 5]!;
  return [`-${plain}`, `-${plain} €`, `€ -${plain}`, `($${plain})`, `${plain}-`, `−${plain}`, `- ${plain}`][random(7)]!;
};

const column = (random: Random, rows: number) => {
  const scale = pick(random, [0, 0, 1, 2, 2, 3]);
  const most = pick(random, [10, 500, 5_000, 3_000_000]);
  const step = pick(random, [1, 10, 100, 1_000]);
  const isCut = once(random, 3);
  return Array.from({ length: rows }, () => {
    const value = (random(1_000_000_000) / 1e9) * most * (once(random, 4) ? -1 : 1);
    const text = (scale === 0 ? Math.round(value / step) * step : value).toFixed(scale);
    return (isCut && scale > 0 ? text.replace(/\.?0+$/, '') : text).replace(/^-0$/, '0');
  });
};

test.each([1, 2, 3, 4])('no number is read as another one: seed %i', (seed) => {
  const random = seededRandom(seed);
  let [read, asked] = [0, 0];
  for (let round = 0; round < 2_000; round++) {
    const style = pick(random, styles);
    const look = random(5);
    const values = column(random, 1 + random(6));
    const texts = values.map((value) => writeNumber(random, value, style, look));
    const beside = numberFormsOf(column(random, 3).map((value) => writeNumber(random, value, style, look)));
    const decimal = once(random, 2) && beside ? provenDecimal(beside) : undefined;
    const forms = numberFormsOf(texts);
    if (!forms) throw new Error(`no numbers: ${texts.join(' ')}`);
    const { formats } = settleNumbers('x', forms, decimal && { decimal, evidence: '' });
    if (formats === undefined) asked++;
    else {
      const parse = numberParser(formats);
      expect([texts, texts.map((text) => Number(parse(text)))]).toEqual([texts, values.map(Number)]);
      read++;
    }
  }
  expect(read).toBeGreaterThan(asked * 3);
});

const two = (part: number): string => String(part).padStart(2, '0');
const english = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const dutch = ['jan', 'feb', 'mrt', 'apr', 'mei', 'jun', 'jul', 'aug', 'sep', 'okt', 'nov', 'dec'];
const austrian = ['Jänner', 'Februar', 'März', 'April', 'Mai', 'Juni', 'Juli', 'August', 'September', 'Oktober', 'November', 'Dezember'];
type Write = (year: number, month: number, day: number) => string;
const writes: readonly Write[] = [
  (y, m, d) => `${two(d)}.${two(m)}.${y}`,
  (y, m, d) => `${d}.${m}.${y}`,
  (y, m, d) => `${two(d)}.${two(m)}.${two(y % 100)}`,
  (y, m, d) => `${two(d)}/${two(m)}/${y}`,
  (y, m, d) => `${m}/${d}/${y}`,
  (y, m, d) => `${m}/${d}/${y} 12:00:00 AM`,
  (y, m, d) => `${two(d)}-${two(m)}-${y}`,
  (y, m, d) => `${y}-${two(m)}-${two(d)}`,
  (y, m, d) => `${y}/${two(m)}/${two(d)}`,
  (y, m, d) => `${y}${two(m)}${two(d)}`,
  (y, m, d) => `${d} ${english[m - 1]} ${y}`,
  (y, m, d) => `${english[m - 1]} ${d}, ${y}`,
  (y, m, d) => `${two(d)}-${dutch[m - 1]}-${y}`,
  (y, m, d) => `${d}. ${austrian[m - 1]} ${y}`,
  (y, m, d) => `${two(m)}/${two(d)}/${two(y % 100)}`,
  (y, m, d) => `${two(d)}/${two(m)}/${two(y % 100)}`,
  (y, m, d) => `${y}-${two(m)}-${two(d)} 00:00:00`,
  (y, m, d) => `${y}-${two(m)}-${two(d)}T00:00:00Z`,
];

/** The form without its digits. */
const shapeOf = (write: Write): string => write(2011, 11, 11).replaceAll(/\d/g, '0');

test.each([1, 2, 3, 4])('no day is read as another one, although a column can have two forms: seed %i', (seed) => {
  const random = seededRandom(seed);
  let [read, asked] = [0, 0];
  for (let round = 0; round < 2_000; round++) {
    const first = pick(random, writes);
    const other = once(random, 6) ? pick(random, writes) : first;
    // Two orders in one form have no evidence that anybody could find.
    const second = shapeOf(other) === shapeOf(first) ? first : other;
    const days = Array.from({ length: 1 + random(5) }, () => [1985 + random(45), 1 + random(12), 1 + random(28)] as const);
    const texts = days.map((day, index) => (index % 2 === 0 ? first : second)(...day));
    const forms = dateFormsOf(texts);
    if (!forms) throw new Error(`no days: ${texts.join(' ')}`);
    const { formats } = settleDates('x', forms, new Map(), false);
    if (formats === undefined) asked++;
    else {
      const parse = dateParser(formats);
      expect([texts, texts.map((text) => parse(text).day)]).toEqual([texts, days.map(([y, m, d]) => `${y}-${two(m)}-${two(d)}`)]);
      read++;
    }
  }
  expect(read).toBeGreaterThan(asked);
});
