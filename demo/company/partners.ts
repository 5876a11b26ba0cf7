/** Creditors with their ledger accounts, and owners of properties and flats. */
import { collectiveAccounts } from '../data/accounts.ts';
import { ownerFirms, places, type Trade, tradeFirms } from '../data/names.ts';
import { ascii, drawAddress, drawBankDetails, drawFirm, drawName, type Person, writeFirm, writeHuman } from '../people.ts';
import type { Random } from '../random.ts';
import type { Columns, Setting } from '../setting.ts';
import { addMonths, date } from '../values.ts';
import type { Chart } from './chart.ts';

const trades = Object.keys(tradeFirms) as Trade[];
const frequentTrades = ['plumbing_heating', 'electrical', 'painting', 'cleaning', 'roofing', 'flooring', 'carpentry', 'other'] as const;
const otherTypes = ['utility', 'insurance', 'public_authority', 'supplier', 'internal', 'other'] as const;

export interface Creditor {
  readonly id: number;
  /** Also the id of the creditor's ledger account. */
  readonly number: number;
  readonly trade: Trade;
  readonly contact: { readonly name: string; readonly phone: string; readonly email: string };
}

export interface Creditors {
  /** An available creditor of the trade. */
  pick(trade: Trade, random: Random): Creditor;
}

const firstNumber = 70001;

export const writeCreditors = (setting: Setting, chart: Chart): Creditors => {
  const random = setting.random('creditors');
  const usable = new Map<Trade, Creditor[]>(trades.map((trade) => [trade, []]));
  for (let i = 0; i < setting.volume.creditors; i++) {
    const trade = i < trades.length ? trades[i]! : random.chance(0.6) ? random.pick(frequentTrades) : random.pick(trades);
    const status = i < trades.length ? 'active' : random.weighted({ active: 92, inactive: 5, blocked: 3 });
    const creditor = writeCreditor(setting, chart, random, trade, status);
    if (status === 'active') usable.get(trade)!.push(creditor);
  }
  return { pick: (trade, stream) => stream.pick(usable.get(trade)!) };
};

const writeCreditor = (setting: Setting, chart: Chart, random: Random, trade: Trade, status: string): Creditor => {
  const id = setting.ids.next('creditor_hdr');
  const number = firstNumber + id - 1;
  const since = addMonths(setting.asOf, -random.int(24, 200));
  const place = random.pick(places);
  const person = writeFirm(setting, drawFirm(random, tradeFirms[trade]), drawAddress(random, place), since);
  writeCreditorAccount(setting, chart, number, person.name, status !== 'inactive');
  const { first, last } = drawName(random);
  const contact = { name: `${first} ${last}`, phone: person.phone, email: `${ascii(last)}@${person.email.split('@')[1]}` };
  setting.batches.put(
    'creditor_hdr',
    {
      creditor_id: id,
      creditor_no: number,
      person_id: person.id,
      creditor_type_key: typeOf(trade, random),
      trade_key: trade,
      account_id: number,
      website: random.chance(0.6) ? `https://www.${person.email.split('@')[1]}` : null,
      tax_number: drawTaxNumber(random),
      vat_id: random.chance(0.7) ? drawVatId(random) : null,
      exemption_certificate_number: random.chance(0.5) ? `FB-${random.int(100000, 999999)}` : null,
      exemption_certificate_valid_until: random.chance(0.5) ? date(addMonths(setting.asOf, random.int(-6, 36))) : null,
      insurance_valid_until: random.chance(0.6) ? date(addMonths(setting.asOf, random.int(-3, 24))) : null,
      ...paymentColumns(random),
      contact_name: contact.name,
      contact_phone: random.chance(0.8) ? contact.phone : null,
      contact_email: random.chance(0.8) ? contact.email : null,
      rating: random.chance(0.7) ? random.int(1, 5) : null,
      is_blocked: status === 'blocked',
      status_key: status,
    },
    since,
    status === 'active' ? since : addMonths(setting.asOf, -random.int(1, 12)),
  );
  return { id, number, trade, contact };
};

const typeOf = (trade: Trade, random: Random): string => {
  if (trade === 'other') return random.pick(otherTypes);
  if (trade === 'planning') return 'consultant';
  return trade === 'cleaning' || trade === 'landscaping' ? 'service_provider' : 'contractor';
};

const drawTaxNumber = (random: Random): string => `${random.int(10, 49)}/${random.int(100, 999)}/${random.int(10000, 99999)}`;
const drawVatId = (random: Random): string => `DE${random.int(100000000, 999999999)}`;

const paymentColumns = (random: Random) => {
  const discount = random.chance(0.4);
  const bank = drawBankDetails(random);
  return {
    payment_terms_days: random.pick([10, 14, 30, 30]),
    cash_discount_percent: discount ? random.pick(['2.00', '3.00']) : null,
    cash_discount_days: discount ? random.pick([8, 10, 14]) : null,
    payment_method_key: random.chance(0.9) ? 'bank_transfer' : 'sepa_direct_debit',
    iban: bank.iban,
    bic: bank.bic,
    bank_name: bank.bankName,
  } satisfies Columns<'creditor_hdr'>;
};

const writeCreditorAccount = ({ batches, asOf }: Setting, chart: Chart, number: number, name: string, active: boolean): void =>
  batches.put(
    'account',
    {
      account_id: number,
      account_number: `${collectiveAccounts.creditors}.${number}`,
      account_name: name,
      account_type_key: 'creditor',
      account_class: 4,
      account_group: '442',
      account_group_name: 'Verbindlichkeiten aus Lieferungen und Leistungen',
      balance_type_key: 'liability',
      normal_side_key: 'credit',
      collective_account_id: chart.id(collectiveAccounts.creditors),
      is_allocable: false,
      is_collective_account: false,
      is_posting_allowed: active,
      is_active: active,
    },
    addMonths(asOf, -200),
  );

export interface Owners {
  pickInvestor(random: Random): number;
  pickPrivate(random: Random): { readonly id: number; readonly person: Person };
}

export const writeOwners = (setting: Setting): Owners => {
  const random = setting.random('owners');
  const investors: number[] = [];
  const privates: { id: number; person: Person }[] = [];
  for (let i = 0; i < setting.volume.owners; i++) {
    // Every other owner is a private person. Nearly all private owners own condominiums.
    const isPrivate = i % 2 === 1;
    const id = setting.ids.next('owner_hdr');
    const since = addMonths(setting.asOf, -random.int(200, 260));
    const address = drawAddress(random, random.pick(places));
    const person = isPrivate
      ? writeHuman(setting, random, address, since)
      : writeFirm(setting, drawFirm(random, ownerFirms), address, since);
    const left = i > 6 && i % 19 === 12;
    writeOwner(setting, random, { id, person, isPrivate, since, left });
    if (left) continue;
    if (isPrivate) privates.push({ id, person });
    else investors.push(id);
  }
  return { pickInvestor: (stream) => stream.pick(investors), pickPrivate: (stream) => stream.pick(privates) };
};

interface Owner {
  readonly id: number;
  readonly person: Person;
  readonly isPrivate: boolean;
  readonly since: number;
  readonly left: boolean;
}

const writeOwner = (setting: Setting, random: Random, { id, person, isPrivate, since, left }: Owner): void => {
  const bank = drawBankDetails(random);
  const represented = !isPrivate && random.chance(0.7);
  const until = left ? addMonths(setting.asOf, -random.int(2, 30)) : null;
  setting.batches.put(
    'owner_hdr',
    {
      owner_hdr_id: id,
      owner_no: `E-${String(id).padStart(4, '0')}`,
      person_id: person.id,
      owner_type_key: isPrivate
        ? 'private_person'
        : random.pick(['company', 'company', 'fund', 'foundation', 'public_body', 'cooperative']),
      tax_number: random.chance(0.8) ? drawTaxNumber(random) : null,
      vat_id: isPrivate ? null : drawVatId(random),
      is_vat_liable: !isPrivate && random.chance(0.5),
      iban: bank.iban,
      bic: bank.bic,
      account_holder: person.name,
      representative_name: represented ? 'Geschäftsführung' : null,
      contact_name: represented ? 'Beteiligungsverwaltung' : null,
      contact_phone: random.chance(0.7) ? person.phone : null,
      contact_email: random.chance(0.7) ? person.email : null,
      statement_interval_key: random.pick(['monthly', 'quarterly', 'annual']),
      payout_day: random.pick([5, 10, 15]),
      valid_from: date(since),
      valid_to: until === null ? null : date(until),
      is_active: !left,
    },
    since,
    until ?? since,
  );
};
