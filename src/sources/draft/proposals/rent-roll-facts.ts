/** What the columns of a rent roll are: facts of a unit, its property, its tenant and its contract, and amounts by kind of rent. */
import type { RawTableName } from '../../../catalogue/raw/index.ts';
import type { ColumnProfile } from '../lists/profile.ts';
import { codesByWord, impliedBy, normalise, split, type Term, weights, withMeaning } from '../words/fit.ts';
import { rentRollTerms, totalWords } from '../words/terms.ts';
import { meaningsOf } from '../words/words.ts';
import { assign } from './assign.ts';
import { isPerArea, type KeysOfLists, least, scoreOf } from './score.ts';

/** The columns that such a list can have, by raw table. */
const facts = {
  floor_area:
    'unit_number usage_type_key occupancy_status_key area_sqm room_count floor location description heated_area_sqm vacant_since available_from target_rent_net market_rent_per_sqm',
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

const ownTerms = (table: string, target: string): Term[] =>
  split(rentRollTerms[`${table}.${target}`]).map((text) =>
    withMeaning({ text, weight: weights.own + 1, evidence: 'a term of rent rolls' }),
  );

/** A property has several lines, and a unit has one: the values say which of two numbers is which. */
const placeSign = (target: string, { different, filled, isUnique }: ColumnProfile): number => {
  if (filled < 4) return 0;
  // A number that stays the same in most lines is none of contracts or tenants.
  if (target === 'contract_number' || target === 'person_id') return different < filled * 0.4 ? -2 : 0;
  if (target === 'unit_number') return different >= filled * 0.8 ? 0.5 : different < filled * 0.4 ? -0.8 : 0;
  return target === 'property_id' && isUnique ? -1.5 : 0;
};

/** Each column of the list is one fact. All facts of all tables are assigned at once. */
export const factsOf = (
  profiles: readonly ColumnProfile[],
  keys: KeysOfLists,
  isPossible: (fact: Pick<Fact, 'table' | 'target' | 'profile'>) => boolean = () => true,
): Fact[] => {
  const candidates = Object.entries(facts).flatMap(([name, targets]) => {
    const table = name as keyof typeof facts;
    const implied = new Set([...impliedBy(table)].filter((concept) => table !== 'property_hdr' || concept === 'building'));
    return split(targets).flatMap((target, place) => {
      const terms = ownTerms(table, target);
      return profiles.flatMap((column) => {
        const { score, evidence } = scoreOf(table, target, column, { keys, terms, implied, isRow: false });
        const points = score + placeSign(target, column) - place / 1000;
        return score > 0 && points >= least && isPossible({ table, target, profile: column })
          ? [{ table, column, target: `${table}.${target}`, evidence, score: points }]
          : [];
      });
    });
  });
  return assign(candidates, least).map(({ table, column, target, evidence }) => ({
    table,
    target: target.split('.')[1]!,
    profile: column,
    evidence,
  }));
};

export interface Amount {
  readonly profile: ColumnProfile;
  readonly code: string;
  readonly word: string;
}

/** Concepts that do not change what an amount is for. */
const plainConcepts = new Set([
  'month',
  'amount',
  'lease',
  'unit',
  'net',
  'basic',
  'rent',
  'opcost',
  'advance',
  'heating',
  'parking',
  'flat',
  'current',
  'living',
  'year',
  'target',
]);

const kindOf = (concepts: ReadonlySet<string>): string | undefined => {
  if ([...concepts].some((concept) => !plainConcepts.has(concept))) return undefined;
  if (concepts.has('opcost') || concepts.has('heating')) {
    if (concepts.has('opcost') && concepts.has('heating')) return undefined;
    if (concepts.has('flat')) return concepts.has('opcost') ? 'operating_cost_flat' : undefined;
    return concepts.has('opcost') ? 'operating_cost_advance' : 'heating_cost_advance';
  }
  if (!concepts.has('rent') || concepts.has('target')) return undefined;
  return concepts.has('parking') ? 'parking_rent' : 'basic_rent';
};

/** The columns of amounts, each with its kind of rent. Of two columns of one kind, nobody knows which counts, so the first is meant. */
export const amountsOf = (profiles: readonly ColumnProfile[]): Amount[] => {
  const words = codesByWord('debit_type');
  const amounts = profiles.flatMap((profile): Amount[] => {
    const name = normalise(profile.name);
    if (!profile.looks.has('number') && !profile.looks.has('integer')) return [];
    if (isPerArea(profile.name) || profile.contents.has('year') || split(totalWords).some((word) => name.includes(word))) return [];
    const exact = words.get(name);
    const meanings = meaningsOf(profile.name).filter(({ unknown, confidence }) => unknown === 0 && confidence >= 0.75);
    const surest = meanings.filter(({ confidence }) => confidence >= (meanings[0]?.confidence ?? 0) - 0.01);
    const code = exact ?? surest.map(({ concepts }) => kindOf(concepts)).find((kind) => kind !== undefined);
    return code !== undefined ? [{ profile, code, word: profile.name }] : [];
  });
  return amounts.filter(({ code }, index) => amounts.findIndex((one) => one.code === code) === index);
};
