/** Amounts by their sums: net, VAT and gross, and amounts in cents. */
import { vatRates } from '../forms/contents.ts';
import type { Conventions } from '../forms/settle.ts';
import type { ListProfile } from '../lists/profile.ts';
import { both, type FoundSign, filledOf, median, type ReadList, readList, share, type Values } from './read-list.ts';

const targetsOfAmount = {
  net: ['net_amount', 'total_net'],
  vat: ['vat_amount', 'total_vat'],
  gross: ['gross_amount', 'total_gross'],
} as const;

/** Whether an amount is the tax of another one. The last digit is rounded. */
const isTax = (part: number, whole: number, last: number): boolean =>
  Math.abs(part) < last / 2 || [...vatRates].some((rate) => Math.abs(part - (whole * rate) / 100) <= last * 1.1);

interface Amounts {
  readonly net: Values<number>;
  readonly vat: Values<number> | undefined;
  readonly gross: Values<number>;
  /** The unit of the last digit: 0.01, or 1 if all amounts are whole numbers. */
  readonly last: number;
}

/** Net, VAT and gross. The rates of VAT tell them from any other sum, and some rows have VAT. */
const amountsIn = ({ numbers }: ReadList): Amounts | undefined => {
  const money = numbers.filter(({ column }) => column.different > 5);
  for (const net of money)
    for (const gross of money) {
      if (net === gross || net.column.filled !== gross.column.filled) continue;
      const last = net.column.look === 'integer' && gross.column.look === 'integer' ? 1 : 0.01;
      const rows = both(net, gross);
      const taxed = rows.filter(([base, end]) => Math.abs(end - base) >= last / 2);
      if (taxed.length < 3 || !rows.every(([base, end]) => isTax(end - base, base, last))) continue;
      // A tax of a cent fits any small amount.
      if (median(rows.map(([base]) => Math.abs(base))) < last * 500) continue;
      const vat = money.find(
        (one) =>
          one !== net &&
          one !== gross &&
          one.values.every((value, row) => Math.abs((gross.values[row] ?? 0) - (net.values[row] ?? 0) - (value ?? 0)) <= last * 1.1),
      );
      return { net, vat, gross, last };
    }
  return undefined;
};

export const amounts = (list: ReadList): FoundSign[] => {
  const found = amountsIn(list);
  if (!found) return [];
  const { net, vat, gross } = found;
  const evidence = vat
    ? `${net.column.name} and ${vat.column.name} are ${gross.column.name}`
    : `${gross.column.name} is ${net.column.name} with a rate of VAT`;
  return [
    { column: net.column, targets: targetsOfAmount.net, points: 2.4, evidence },
    { column: gross.column, targets: targetsOfAmount.gross, points: 2.4, evidence },
    ...(vat ? [{ column: vat.column, targets: targetsOfAmount.vat, points: 2.4, evidence }] : []),
    ...list.numbers
      .filter(({ column, values }) => column.contents.has('vatRate') && isRateOf(values, found))
      .map(({ column }) => ({ column, targets: ['vat_rate'], points: 2.4, evidence: 'it is the rate of the amounts' })),
  ];
};

/** Whether most of the whole numbers have two last digits as cents have them: 52283, and no round amounts. */
export const areLikeCents = (values: readonly number[]): boolean =>
  values.length >= 5 && values.every(Number.isInteger) && share(values, (value) => value % 100 !== 0) >= 0.5;

/** Amounts in cents: whole numbers with an exact VAT, too large for amounts of rents and invoices, and not round. */
export const provenCents = (list: ListProfile, conventions: Conventions): string | undefined => {
  const found = amountsIn(readList(list, conventions));
  if (found?.last !== 1) return undefined;
  const values = filledOf(found.net);
  return median(values) >= 5_000 && areLikeCents(values)
    ? `the amounts of ${found.net.column.name} are whole numbers that end as cents do`
    : undefined;
};

const isRateOf = (values: readonly (number | undefined)[], { net, gross, last }: Amounts): boolean =>
  values.every((rate, row) => {
    const [base, end] = [net.values[row] ?? 0, gross.values[row] ?? 0];
    return Math.abs(end - base - (base * (rate ?? 0)) / 100) <= last * 1.1;
  });
