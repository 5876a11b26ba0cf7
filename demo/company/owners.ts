/** Owners: firms and funds own whole properties, private persons own the units of condominiums. */
import type { Setting } from '../setting.ts';
import { drawBankDetails } from '../source/banking.ts';
import { addMonths, date } from '../source/calendar.ts';
import { drawFirm } from '../source/names.ts';
import { drawAddress, type Person, writeFirm, writeHuman } from '../source/people.ts';
import { places } from '../source/places.ts';
import type { Random } from '../source/random.ts';

export interface Owners {
  pickInvestor(random: Random): number;
  pickPrivate(random: Random): { readonly id: number; readonly person: Person };
}

export const writeOwners = (setting: Setting): Owners => {
  const random = setting.random('owners');
  const investors: number[] = [];
  const privates: { id: number; person: Person }[] = [];
  for (let i = 0; i < setting.volume.owners; i++) {
    // Every other owner is a private person; nearly all of them live in condominiums.
    const isPrivate = i % 2 === 1;
    const id = setting.ids.next('owner_hdr');
    const since = addMonths(setting.asOf, -random.int(200, 260));
    const address = drawAddress(random, random.pick(places));
    const person = isPrivate ? writeHuman(setting, random, address, since) : writeFirm(setting, drawFirm(random, 'owner'), address, since);
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
      tax_number: random.chance(0.8) ? `${random.int(10, 49)}/${random.int(100, 999)}/${random.int(10000, 99999)}` : null,
      vat_id: isPrivate ? null : `DE${random.int(100000000, 999999999)}`,
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
