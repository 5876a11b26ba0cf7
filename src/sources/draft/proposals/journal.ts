/** A journal: each row has both accounts of a booking, so it is a document with two lines. */
import { isReversal, reversalColumn } from '../../readers/datev.ts';
import type { ColumnProfile, ListProfile } from '../lists/profile.ts';
import { type ColumnProposal, given, missingOf, type TableProposal } from './proposal.ts';
import type { KnownList } from './propose.ts';

const documentColumn = 'Belegfeld 1';

/** Lines are booked on the other side of the other account. */
const otherSide: Readonly<Record<string, string>> = { debit: 'credit', credit: 'debit' };

const complete = (table: 'booking_hdr' | 'booking_pos', columns: readonly ColumnProposal[]) => ({
  table,
  columns,
  unassigned: [],
  missing: missingOf(table, new Set(columns.map(({ target }) => target))),
});

/** Whether a row of the list cancels another one. */
const hasReversals = (list: ListProfile): boolean =>
  list.columns.some(({ name }) => reversalColumn.test(name) && list.textsOf(name).some(isReversal));

const documentOf = (main: TableProposal, list: ListProfile, amount: ColumnProposal): TableProposal => {
  const own = (target: string, from = target): readonly ColumnProposal[] =>
    main.columns.flatMap((column) => (column.target === from ? [{ ...column, target }] : []));
  const number = main.unassigned.find(({ name }) => name === documentColumn);
  return {
    ...complete('booking_hdr', [
      ...['property_id', 'booking_date', 'booking_text', 'currency'].flatMap((target) => own(target)),
      ...(number ? [given('document_number', number, undefined, 'the number of the document in DATEV')] : []),
      ...own('document_date', 'booking_date'),
      ...own('total_amount', 'amount'),
      given('position_count', amount.profile, { constant: 2 }, 'one line for each account'),
      ...(hasReversals(list)
        ? []
        : [
            given(
              'is_reversal',
              amount.profile,
              { constant: false },
              'no row is a reversal; a load refuses one that the source does not read',
            ),
          ]),
    ]),
    evidence: 'each row has an account and its contra account, so it is a document',
    key: ['$row'],
    keyEvidence: 'DATEV exports no key of a booking, so a changed row is a new row',
    ...(main.rows && { rows: main.rows }),
  };
};

/** The document and the two lines of each row, if the list is a journal. Otherwise `main` alone. */
export const withJournal = ({ hasContraAccounts = false, profile: list }: KnownList, main: TableProposal): readonly TableProposal[] => {
  const of = (target: string) => main.columns.find((column) => column.target === target);
  const [account, contra, side, amount] = ['account_id', 'contra_account_id', 'debit_credit_key', 'amount'].map(of);
  const isJournal = hasContraAccounts && main.table === 'booking_pos' && main.missing.includes('booking_hdr_id');
  if (!isJournal || !account || !contra || !side?.codes || side.unknown.length > 0 || !amount) return [main];
  const lineOf = (position: number, own: readonly ColumnProposal[]): TableProposal => {
    const targets = new Set(own.map(({ target }) => target));
    const columns = [
      given('booking_hdr_id', account.profile, { from: '$row', references: 'booking_hdr' }, 'the document of the row'),
      given(
        'position_number',
        account.profile,
        { constant: position },
        'the account of the row is line 1, and its contra account is line 2',
      ),
      ...main.columns.filter(({ target }) => !targets.has(target)),
      ...own,
    ];
    return {
      ...main,
      ...complete('booking_pos', columns),
      key: ['$row', { constant: String(position) }],
      keyEvidence: 'a line of the row',
      // A doubt about the key is none, because the key is the row.
      question: main.key[0] === '$row' ? main.question : undefined,
    };
  };
  const unassigned: readonly ColumnProfile[] = main.unassigned.filter(({ name }) => name !== documentColumn);
  const first = { ...lineOf(1, [account, contra, side]), unassigned };
  const codes = new Map([...side.codes].map(([value, code]) => [value, otherSide[code] ?? code]));
  const second = lineOf(2, [
    { ...contra, target: 'account_id' },
    { ...account, target: 'contra_account_id' },
    { ...side, codes, evidence: 'the other side' },
  ]);
  return [documentOf(main, list, amount), first, { ...second, variantOf: first }];
};
