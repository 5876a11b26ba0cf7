/**
 * The journal: turns a document with its lines into a header and positions, and numbers documents per company and year.
 *
 * Header totals are computed here from the lines, so a document that does not balance cannot be written.
 */
import type { Draft, Setting } from '../setting.ts';
import { type Cents, type Day, date, dateOrNull, euro, monthInYear, monthOf, percent, yearOf } from '../values.ts';

export interface Line {
  readonly account: number;
  readonly side: 'debit' | 'credit';
  readonly amount: Cents;
  /** Set on VAT lines: the net amount that the VAT is on, and the code. */
  readonly vat?: { readonly code: 'V19' | 'U19'; readonly rate: number; readonly base: Cents };
  readonly more?: Partial<Draft<'booking_pos'>>;
}

type BookingType =
  | 'debit_posting'
  | 'incoming_payment'
  | 'incoming_invoice'
  | 'outgoing_payment'
  | 'settlement'
  | 'depreciation'
  | 'accrual'
  | 'transfer'
  | 'opening_balance'
  | 'reversal';

export interface Document {
  readonly type: BookingType;
  readonly date: Day;
  /** A closing entry, posted in period 13; its date lies in December. */
  readonly isClosing?: boolean;
  readonly lines: readonly Line[];
  readonly text: string;
  readonly more?: Partial<Draft<'booking_hdr'>>;
  readonly isReversed?: boolean;
}

const prefixes: Readonly<Record<BookingType, string>> = {
  debit_posting: 'SST',
  incoming_payment: 'BK',
  incoming_invoice: 'ER',
  outgoing_payment: 'ZL',
  settlement: 'BKA',
  depreciation: 'AFA',
  accrual: 'ABG',
  transfer: 'UB',
  opening_balance: 'SV',
  reversal: 'ST',
};

const modules: Readonly<Record<BookingType, string>> = {
  debit_posting: 'debit_run',
  incoming_payment: 'bank_import',
  incoming_invoice: 'invoice_book',
  outgoing_payment: 'payment_run',
  settlement: 'settlement',
  depreciation: 'asset_accounting',
  accrual: 'manual',
  transfer: 'manual',
  opening_balance: 'manual',
  reversal: 'manual',
};

/** What a document is booked for. */
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
    const id = this.#setting.ids.next('booking_hdr');
    const total = debitTotal(document);
    const year = yearOf(document.date);
    const period = document.isClosing ? 13 : monthInYear(monthOf(document.date));
    this.#setting.batches.put(
      'booking_hdr',
      {
        booking_hdr_id: id,
        property_id: property.id,
        company_number: property.company,
        document_number: this.#number(property.company, year, document.type),
        booking_type_key: document.type,
        fiscal_year: year,
        fiscal_period: period,
        booking_date: date(document.date),
        document_date: date(document.date),
        booking_text: document.text,
        total_amount: euro(total),
        position_count: document.lines.length,
        source_module_key: modules[document.type],
        is_reversal: document.type === 'reversal',
        status_key: document.isReversed ? 'reversed' : 'posted',
        posted_by_employee_id: property.accountant,
        ...document.more,
      },
      document.date,
    );
    document.lines.forEach((line, i) => {
      this.#position(property, document, line, { id, number: i + 1, year, period });
    });
    return id;
  }

  #number(company: string, year: number, type: BookingType): string {
    const key = `${company}-${year}`;
    const number = (this.#numbers.get(key) ?? 0) + 1;
    this.#numbers.set(key, number);
    return `${prefixes[type]}-${year}-${String(number).padStart(6, '0')}`;
  }

  #position(property: Ledger, document: Document, line: Line, place: Place): void {
    this.#setting.batches.put(
      'booking_pos',
      {
        booking_pos_id: this.#setting.ids.next('booking_pos'),
        booking_hdr_id: place.id,
        position_number: place.number,
        property_id: property.id,
        fiscal_year: place.year,
        fiscal_period: place.period,
        booking_date: date(document.date),
        account_id: line.account,
        debit_credit_key: line.side,
        amount: euro(line.amount),
        vat_code_key: line.vat?.code ?? 'none',
        vat_rate: percent(line.vat?.rate ?? 0),
        vat_base_amount: euro(line.vat?.base ?? 0),
        booking_text: document.text,
        ...line.more,
      },
      document.date,
    );
  }
}

interface Place {
  readonly id: number;
  readonly number: number;
  readonly year: number;
  readonly period: number;
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

/** The clearing of two positions by each other, as columns of both. */
export const cleared = (number: string, on: Day | null) => ({ clearing_number: on === null ? null : number, cleared_date: dateOrNull(on) });
