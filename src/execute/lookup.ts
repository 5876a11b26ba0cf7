/** Lookup values: the customer's own code list if the source delivers one, otherwise the catalogue's. */
import type pg from 'pg';
import { type LookupName, lookupSource, lookups } from '../catalogue/lookups.ts';
import type { RawRow } from '../catalogue/raw/index.ts';
import { qualify } from '../database/identifier.ts';

export interface LookupValue {
  readonly value: string;
  readonly label: string;
}

/** The label in both languages, if they differ. */
export const labelOf = (en: string, de: string): string => (de === en ? en : `${en} (${de})`);

/** The values of a lookup list in their configured order. */
export const lookupValues = async (
  client: pg.ClientBase,
  { schema }: { readonly schema: string },
  lookup: LookupName,
): Promise<readonly LookupValue[]> => {
  const { rows } = await client.query<Pick<RawRow<typeof lookupSource>, 'value_key' | 'label_en' | 'label_de'>>({
    name: `lookup ${schema}`,
    text: `select value_key, label_en, label_de from ${qualify(schema, lookupSource)}
      where catalog_name = $1 and is_active order by sort_no, catalog_value_id`,
    values: [lookup],
  });
  if (rows.length > 0) return rows.map(({ value_key, label_en, label_de }) => ({ value: value_key, label: labelOf(label_en, label_de) }));
  return lookups[lookup].map(([value, en, de]) => ({ value, label: labelOf(en, de) }));
};
