/** Persons, natural and legal: every tenant, owner, creditor and employee. Their bank accounts are invented. */
import { banks, forms, men, type Place, streets, surnames, women } from './data/names.ts';
import type { Random } from './random.ts';
import type { Columns, Setting } from './setting.ts';
import { type Day, date, dayOf, yearOf } from './values.ts';

export const drawName = (random: Random) => {
  const woman = random.chance(0.5);
  const title = random.chance(0.04) ? 'Dr.' : null;
  return { salutation: woman ? 'Frau' : 'Herr', title, first: random.pick(woman ? women : men), last: random.pick(surnames) };
};

/** A firm with one of the names after a surname. */
export const drawFirm = (random: Random, names: readonly string[]): string =>
  `${random.pick(surnames)} ${random.pick(names)} ${random.pick(forms)}`;

export interface Address {
  readonly street: string;
  readonly houseNo: string;
  readonly place: Place;
}

export interface Person {
  readonly id: number;
  readonly name: string;
  readonly email: string;
  readonly phone: string;
}

export const drawAddress = (random: Random, place: Place): Address => ({
  street: random.pick(streets),
  houseNo: String(random.int(1, 120)) + (random.chance(0.1) ? random.pick(['a', 'b', 'c']) : ''),
  place,
});

/** Numbers with 555 are not assigned. */
const phoneNumber = (prefix: string, id: number): string => `+49 ${prefix} 555${String(id).padStart(5, '0')}`;

const addressColumns = ({ street, houseNo, place: { postalCode, city } }: Address) =>
  ({ street, house_no: houseNo, postal_code: postalCode, city, country_code: 'DE' }) satisfies Columns<'person'>;

export const writeFirm = (setting: Setting, company: string, address: Address, since: Day): Person => {
  const id = setting.ids.next('person');
  const email = `info@${ascii(company)}.example.org`;
  const phone = phoneNumber(address.place.diallingCode, id);
  setting.batches.put(
    'person',
    { person_id: id, person_type_key: 'legal', company_name: company, ...addressColumns(address), email, phone },
    since,
  );
  return { id, name: company, email, phone };
};

export const writeHuman = (setting: Setting, random: Random, address: Address, since: Day): Person => {
  const id = setting.ids.next('person');
  const { salutation, title, first, last } = drawName(random);
  const email = `${ascii(first)}.${ascii(last)}.${id}@example.org`;
  const phone = phoneNumber(address.place.diallingCode, id);
  setting.batches.put(
    'person',
    {
      person_id: id,
      person_type_key: 'natural',
      salutation,
      title,
      first_name: first,
      last_name: last,
      ...addressColumns(address),
      email: random.chance(0.85) ? email : null,
      phone: random.chance(0.7) ? phone : null,
      mobile: random.chance(0.8) ? phoneNumber('170', id) : null,
      birth_date: random.chance(0.7) ? date(dayOf(yearOf(since) - random.int(20, 70), random.int(1, 12), random.int(1, 28))) : null,
    },
    since,
  );
  return { id, name: `${title ? `${title} ` : ''}${first} ${last}`, email, phone };
};

export const drawBankDetails = (random: Random) => {
  const [code, bic, bankName] = random.pick(banks);
  const account = `000${String(random.int(0, 9_999_999)).padStart(7, '0')}`;
  return { iban: ibanOf(code, account), bic, bankName };
};

/** ISO 13616: 98 minus the remainder of bank code, account, 'DE' as 1314 and two zeros by 97. */
const ibanOf = (bankCode: string, account: string): string => {
  let remainder = 0;
  for (const digit of `${bankCode}${account}131400`) remainder = (remainder * 10 + Number(digit)) % 97;
  return `DE${String(98 - remainder).padStart(2, '0')}${bankCode}${account}`;
};

const plain: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss', ş: 's', ı: 'i', ç: 'c', ë: 'e' };

/** Lower-case ASCII, for mail addresses. */
export const ascii = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[äöüßşıçë]/g, (letter) => plain[letter]!)
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
