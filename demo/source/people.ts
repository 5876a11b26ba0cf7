/** Persons, natural and legal: every tenant, owner, creditor and employee is one. */
import type { Setting } from '../setting.ts';
import type { Columns } from '../writer/batches.ts';
import { type Day, date, dayOf, yearOf } from './calendar.ts';
import { ascii, drawName } from './names.ts';
import { type Place, streets } from './places.ts';
import type { Random } from './random.ts';

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

/** Numbers with 555 are nobody's. */
const phoneNumber = (prefix: string, id: number): string => `+49 ${prefix} 555${String(id).padStart(5, '0')}`;

const addressColumns = ({ street, houseNo, place }: Address) =>
  ({
    street,
    house_no: houseNo,
    postal_code: place.postalCode,
    city: place.city,
    country_code: 'DE',
  }) satisfies Columns<'person'>;

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
