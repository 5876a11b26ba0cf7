/** What the columns of a rent roll are: facts of a unit, its property, its tenant and its contract, and amounts by kind of rent. */
import type { RawTableName } from '../../catalogue/raw/index.ts';
import { partOf } from '../columns/parts.ts';
import { Rejection } from '../rejections.ts';
import type { Part } from '../source-file.ts';
import { canHold, codesByWord, fitOf, normalise, split, type Term, termsOfTable, weights } from './fit.ts';
import type { ColumnProfile } from './profile.ts';
import { rentRollTerms, totalWords } from './terms.ts';

/** The columns that such a list can have, by raw table. Of equal fits, the first counts. */
const facts = {
  floor_area:
    'unit_number usage_type_key occupancy_status_key area_sqm room_count floor location description heated_area_sqm vacant_since available_from target_rent_net',
  person: 'last_name first_name company_name salutation title email phone mobile birth_date person_type_key person_id',
  tenancy_hdr:
    'contract_number contract_start_date contract_end_date contract_date move_in_date move_out_date notice_period_months status_key tenant_type_key deposit_amount deposit_paid_amount deposit_type_key payment_method_key iban dunning_level balance',
  property_hdr:
    'property_id property_name street house_no postal_code city federal_state property_type_key construction_year company_number',
} as const satisfies Partial<Record<RawTableName, string>>;

export interface Fact {
  readonly table: RawTableName;
  readonly target: string;
  readonly profile: ColumnProfile;
  readonly evidence: string;
}

const lowest = 0.8;

const ownTerms = (table: string, target: string): Term[] =>
  split(rentRollTerms[`${table}.${target}`]).map((text) => ({
    text: normalise(text),
    weight: weights.own + 1,
    evidence: 'a term of rent rolls',
  }));

/** Each column of the list is one fact. */
export const factsOf = (profiles: readonly ColumnProfile[]): Fact[] => {
  const candidates = Object.entries(facts).flatMap(([name, targets]) => {
    const table = name as keyof typeof facts;
    return split(targets).flatMap((target) => {
      const terms = [...ownTerms(table, target), ...(termsOfTable(table).get(target) ?? [])];
      return profiles.flatMap((profile) => {
        const { score, evidence } = fitOf(profile.name, terms);
        return score >= lowest && canHold(table, target, profile.look) ? [{ table, target, profile, evidence, score }] : [];
      });
    });
  });
  const found: Fact[] = [];
  for (const { score: _, ...fact } of candidates.sort((a, b) => b.score - a.score))
    if (!found.some(({ table, target, profile }) => profile === fact.profile || (table === fact.table && target === fact.target)))
      found.push(fact);
  return found;
};

export interface Amount {
  readonly profile: ColumnProfile;
  readonly code: string;
  readonly word: string;
}

/** The columns of amounts, each with its kind of rent. */
export const amountsOf = (profiles: readonly ColumnProfile[]): Amount[] => {
  const words = [...codesByWord('debit_type')].sort(([a], [b]) => b.length - a.length);
  const amounts = profiles.flatMap((profile): Amount[] => {
    const name = normalise(profile.name);
    if (!['number', 'integer'].includes(profile.look) || split(totalWords).some((word) => name.includes(word))) return [];
    const [word, code] =
      words.find(([text]) => text === name || (text.length >= 5 && name.includes(text) && text.length >= name.length * 0.6)) ?? [];
    return word !== undefined && code !== undefined ? [{ profile, code, word }] : [];
  });
  return amounts.filter(({ code }, index) => amounts.findIndex((one) => one.code === code) === index);
};

export const addressParts = {
  street: 'street',
  house_no: 'houseNumber',
  postal_code: 'postalCode',
  city: 'city',
} as const satisfies Record<string, Part>;

/** Whether all values that were seen have this part of an address. */
export const hasPart = ({ sample }: ColumnProfile, part: Part): boolean =>
  [...sample].every((value) => {
    try {
      return partOf(part, value) !== null;
    } catch (error) {
      if (error instanceof Rejection) return false;
      throw error;
    }
  });
