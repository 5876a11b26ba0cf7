/** Figures of a dry run that people know from paper (`catalogue/measures/paper-figures.ts`), in its transaction, for each property. */
import type pg from 'pg';
import { catalogue } from '../catalogue/index.ts';
import { type PaperFigureName, paperFigure, paperFigureNames } from '../catalogue/measures/paper-figures.ts';

/** Decimal numbers as text. Null: the customer has no rows of this kind. */
export type PropertyFigures = { readonly property: string } & { readonly [Name in PaperFigureName]: string | null };

/** More properties are no list for a person. */
const mostProperties = 500;

/** The rows of a figure, by property. */
const rowsOf = (name: PaperFigureName, place: (table: string) => string): string => {
  const { table, value, where = 'true', isValidToday = false } = paperFigure(name);
  const [from, to] = (isValidToday && catalogue.tables.get(table)?.validity) || [];
  const isValid = from && to ? `coalesce(${from}, current_date) <= current_date and coalesce(${to}, current_date) >= current_date` : 'true';
  return `${name} as (select property_id, ${value} as n from ${place(table)} where ${where} and ${isValid} group by property_id)`;
};

/** The figures after the load, before it is rolled back. `place`: the table that has the rows then. */
export const figuresOfTried = async (client: pg.ClientBase, place: (table: string) => string): Promise<readonly PropertyFigures[]> => {
  const values = paperFigureNames.map(
    (name) => `case when exists (select from ${name}) then round(coalesce(${name}.n, 0), ${paperFigure(name).digits})::text end as ${name}`,
  );
  const { rows } = await client.query<PropertyFigures>(
    `with ${paperFigureNames.map((name) => rowsOf(name, place)).join()}
     select p.property_name as property, ${values.join()}
     from ${place('properties')} as p ${paperFigureNames.map((name) => `left join ${name} using (property_id)`).join(' ')}
     order by p.property_name, p.property_id limit ${mostProperties}`,
  );
  return rows;
};
