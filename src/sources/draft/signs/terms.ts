/** Days by their order: births, terms of contracts, and due dates. */
import { both, type FoundSign, filledOf, type ReadList, share } from './read-list.ts';

const yearOf = (day: string): number => Number(day.slice(0, 4));
const isLastOfMonth = (day: string): boolean => new Date(Date.parse(day) + 86_400_000).getUTCDate() === 1;
export const isFirstOfMonth = (day: string): boolean => day.endsWith('-01');

/** Adults are born at least 16 years before the last day of the other columns. */
export const births = ({ days }: ReadList): FoundSign[] =>
  days.flatMap((one): FoundSign[] => {
    const years = filledOf(one).map(yearOf);
    const [first, last] = [Math.min(...years), Math.max(...years)];
    const isBirth = years.length >= 5 && first >= 1900 && last <= new Date().getUTCFullYear() - 16 && last - first >= 15;
    return isBirth ? [{ column: one.column, targets: ['person.birth_date'], evidence: `its days are from ${first} to ${last}` }] : [];
  });

/** Contracts and amounts begin on the first day of a month and end on a last one. The day of the signature is before, and any day. */
export const terms = ({ days }: ReadList): FoundSign[] => {
  const ends = days.filter((one) => filledOf(one).length >= 3 && share(filledOf(one), isLastOfMonth) >= 0.8);
  const starts = days.filter((one) => filledOf(one).length >= 5 && share(filledOf(one), isFirstOfMonth) >= 0.8);
  return ends.flatMap((end) => {
    const before = starts.filter(
      (start) =>
        end.column.filled < start.column.filled && both(start, end).length >= 3 && share(both(start, end), ([a, b]) => a < b) >= 0.98,
    );
    const [start] = before;
    if (!start) return [];
    const evidence = `it is before ${end.column.name}, and begins a month`;
    const signed = days.filter(
      (one) =>
        one.column.filled === start.column.filled &&
        share(filledOf(one), isFirstOfMonth) <= 0.3 &&
        share(both(one, start), ([a, b]) => a <= b && Date.parse(b) - Date.parse(a) < 200 * 86_400_000) === 1,
    );
    return [
      { column: start.column, targets: ['tenancy_hdr.contract_start_date', 'contract_condition.valid_from'], evidence },
      {
        column: end.column,
        targets: ['tenancy_hdr.contract_end_date', 'contract_condition.valid_to'],
        evidence: `it is after ${start.column.name}, and ends a month`,
      },
      ...signed.map(({ column }) => ({ column, targets: ['tenancy_hdr.contract_date'], evidence: `it is before ${start.column.name}` })),
    ];
  });
};

const termsOfPayment = new Set([0, 7, 8, 10, 14, 15, 20, 21, 28, 30, 31, 45, 60, 90]);

/** An invoice is due after a usual term. */
export const dues = ({ days }: ReadList): FoundSign[] => {
  const pairs = days.flatMap((from) =>
    days.flatMap((to) => {
      const gaps = both(from, to).map(([a, b]) => Math.round((Date.parse(b) - Date.parse(a)) / 86_400_000));
      const isDue =
        from !== to &&
        gaps.length >= 5 &&
        gaps.every((gap) => termsOfPayment.has(gap)) &&
        new Set(gaps).size <= 6 &&
        Math.max(...gaps) >= 14;
      return isDue && Math.min(...gaps) >= 7 ? [{ from: from.column, to: to.column }] : [];
    }),
  );
  const [pair] = pairs;
  if (!pair || pairs.length > 1) return [];
  return [
    { column: pair.from, targets: ['invoice_date'], evidence: `${pair.to.name} is a usual term after it` },
    { column: pair.to, targets: ['due_date'], evidence: `it is a usual term after ${pair.from.name}` },
  ];
};

/** Few whole numbers that are usual terms. */
export const wholeTerms = ({ numbers }: ReadList): FoundSign[] =>
  numbers.flatMap((one): FoundSign[] => {
    const { column } = one;
    const found = new Set(filledOf(one));
    if (column.filled < 5 || found.size < 2 || found.size > 6) return [];
    const all = [...found];
    if (all.every((days) => termsOfPayment.has(days)) && all.some((days) => days >= 14))
      return [{ column, targets: ['creditor_hdr.payment_terms_days'], points: 2, evidence: 'its values are usual terms of payment' }];
    if (all.every((months) => [1, 3, 6, 9, 12].includes(months)) && found.has(3) && found.has(6))
      return [{ column, targets: ['tenancy_hdr.notice_period_months'], points: 2, evidence: 'its values are usual terms of notice' }];
    return [];
  });
