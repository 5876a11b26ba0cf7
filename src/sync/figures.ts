/** Figures of a dry run that people know from paper, in its transaction: those of the pages (`catalogue/measures/figures.ts`), for each property. */
import type pg from 'pg';
import { figures } from '../catalogue/measures/figures.ts';
import { measuresOf } from '../catalogue/measures/measure-formula.ts';

/** Amounts are decimal numbers as text. Null: the customer has no rows of this kind. */
export interface PropertyFigures {
  readonly property: string;
  readonly units: number | null;
  /** The basic rent in force today, net, of a month. */
  readonly rent: string | null;
  /** The open balances of tenants. */
  readonly balance: string | null;
}

export const paperFigures = {
  units: figures.units.label,
  rent: { en: 'Basic rent a month, net', de: 'Nettokaltmiete im Monat' },
  balance: { en: 'Open balance of tenants', de: 'Offener Saldo der Mieter' },
} as const;

/** More properties are no list for a person. */
const mostProperties = 500;

/** The measure reads columns of its own table only. */
const monthlyRent = measuresOf('contract_debits', () => [])
  .find(({ name }) => name === 'monthly_rent')!
  .formula.map((part) => (typeof part === 'string' ? part : 'column' in part ? part.column : ''))
  .join('');

/** The figures after the load, before it is rolled back. `place`: the table that has the rows then. */
export const figuresOfTried = async (client: pg.ClientBase, place: (table: string) => string): Promise<readonly PropertyFigures[]> => {
  const { rows } = await client.query<PropertyFigures>(
    `with units as (select property_id, count(*)::integer as n from ${place('property_structure')} where is_active group by property_id),
       rents as (select property_id, round(${monthlyRent}, 2) as n from ${place('contract_debits')}
         where debit_type = 'basic_rent' and coalesce(valid_from, current_date) <= current_date and coalesce(valid_to, current_date) >= current_date
         group by property_id),
       balances as (select property_id, sum(balance) as n from ${place('tenants')} group by property_id)
     select p.property_name as property,
       case when exists (select from units) then coalesce(units.n, 0) end as units,
       case when exists (select from rents) then coalesce(rents.n, 0)::text end as rent,
       case when exists (select from balances) then coalesce(balances.n, 0)::text end as balance
     from ${place('properties')} as p left join units using (property_id) left join rents using (property_id) left join balances using (property_id)
     order by p.property_name, p.property_id limit ${mostProperties}`,
  );
  return rows;
};
