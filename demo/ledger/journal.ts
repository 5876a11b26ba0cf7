/**
 * The journal: turns a document with its lines into a header and positions, and numbers documents per company and year.
 *
 * Header totals are computed here from the lines, so a document that does not balance cannot be written.
 */
import type { Columns, Setting } from '../setting.ts';
import { type Cents, type Day, date, dateOrNull, euro, monthInYear, monthOf, percent, yearOf } from '../values.ts';

export type Position = Columns<'booking_pos'>;

export interface Line {
  readonly account: number;
  readonly side: 'debit' | 'credit';
  readonly amount: Cents;
  /** On VAT lines: the net amount and the code. */
  readonly vat?: { readonly code: 'V19' | 'U19'; readonly rate: number; readonly base: Cents };
  readonly more?: Position;
}

/** By document type: the prefix of its number, and its module. */
const bookingTypes = {
  debit_posting: ['SST', 'debit_run'],
  incoming_payment: ['BK', 'bank_import'],
  incoming_invoice: ['ER', 'invoice_book'],
  outgoing_payment: ['ZL', 'payment_run'],
  settlement: ['BKA', 'settlement'],
  depreciation: ['AFA', 'asset_accounting'],
  accrual: ['ABG', 'manual'],
  transfer: ['UB', 'manual'],
  opening_balance: ['SV', 'manual'],
  reversal: ['ST', 'manual'],
} as const;
type BookingType = keyof typeof bookingTypes;

export interface Document {
  readonly type: BookingType;
  readonly date: Day;
  /** A closing entry, posted in period 13 with a date in December. */
  readonly isClosing?: boolean;
  readonly lines: readonly Line[];
  readonly text: string;
  readonly more?: Columns<'booking_hdr'>;
  readonly isReversed?: boolean;
}

/** The subject of a document. */
export interface Ledger {
  /** Property. */
  readonly id: number;
  readonly company: string;
  readonly accountant: number;
}

export class Journal {
  readonly #setting: Setting;
  readonly #numbers = new Map<string, number>();

  constructor(setting: Setting) {
    this.#setting = setting;
  }

  /** Writes the document and returns its id. */
  book(property: Ledger, document: Document): number {
    const { batches, ids } = this.#setting;
    const { type, lines, text } = document;
    const id = ids.next('booking_hdr');
    const day = date(document.date);
    const year = yearOf(document.date);
    const period = document.isClosing ? 13 : monthInYear(monthOf(document.date));
    const [prefix, module] = bookingTypes[type];
    batches.put(
      'booking_hdr',
      {
        booking_hdr_id: id,
        property_id: property.id,
        company_number: property.company,
        document_number: `${prefix}-${year}-${this.#nextNumber(property.company, year)}`,
        booking_type_key: type,
        fiscal_year: year,
        fiscal_period: period,
        booking_date: day,
        document_date: day,
        booking_text: text,
        total_amount: euro(debitTotal(document)),
        position_count: lines.length,
        source_module_key: module,
        is_reversal: type === 'reversal',
        status_key: document.isReversed ? 'reversed' : 'posted',
        posted_by_employee_id: property.accountant,
        ...document.more,
      },
      document.date,
    );
    lines.forEach(({ account, side, amount, vat, more }, i) => {
      batches.put(
        'booking_pos',
        {
          booking_pos_id: ids.next('booking_pos'),
          booking_hdr_id: id,
          position_number: i + 1,
          property_id: property.id,
          fiscal_year: year,
          fiscal_period: period,
          booking_date: day,
          account_id: account,
          debit_credit_key: side,
          amount: euro(amount),
          vat_code_key: vat?.code ?? 'none',
          vat_rate: percent(vat?.rate ?? 0),
          vat_base_amount: euro(vat?.base ?? 0),
          booking_text: text,
          ...more,
        },
        document.date,
      );
    });
    return id;
  }

  #nextNumber(company: string, year: number): string {
    const key = `${company}-${year}`;
    const number = (this.#numbers.get(key) ?? 0) + 1;
    this.#numbers.set(key, number);
    return String(number).padStart(6, '0');
  }
}

const debitTotal = ({ lines, text }: Document): Cents => {
  let debit = 0;
  let credit = 0;
  for (const line of lines) {
    if (line.side === 'debit') debit += line.amount;
    else credit += line.amount;
  }
  if (debit !== credit) throw new RangeError(`document does not balance: ${text}, ${debit} against ${credit}`);
  return debit;
};

/** The two lines that move an amount. Each names the account of the other. */
export const transfer = (debit: number, credit: number, amount: Cents, ofDebit: Position = {}, ofCredit: Position = {}): [Line, Line] => [
  { account: debit, side: 'debit', amount, more: { contra_account_id: credit, ...ofDebit } },
  { account: credit, side: 'credit', amount, more: { contra_account_id: debit, ...ofCredit } },
];

/** The mutual clearing of two positions, as columns of both. */
export const cleared = (number: string, on: Day | null): Position => ({
  clearing_number: on === null ? null : number,
  cleared_date: dateOrNull(on),
});
