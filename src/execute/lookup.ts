/** Lookup values: the customer's own code list if the source delivers one, otherwise the catalogue's. */
import type pg from 'pg';
import { type LabelLanguage, type LookupName, lookupSource, lookups } from '../catalogue/lookups.ts';
import type { RawRow } from '../catalogue/raw/index.ts';
import { qualify } from '../database/identifier.ts';

export interface LookupValue {
  readonly value: string;
  readonly label: string;
}

/** A code of a list, with its labels. */
export interface Code {
  readonly value: string;
  readonly en: string;
  readonly de: string;
}

/** The label in both languages, if they differ. */
export const codeLabelOf = (en: string, de: string): string => (de === en ? en : `${en} (${de})`);

/** The label of a code in one language, or in both. */
export const labelIn = ({ en, de }: Code, language: LabelLanguage | undefined): string => {
  if (language === undefined) return codeLabelOf(en, de);
  return language === 'de' ? de : en;
};

/** A code list: its name, and its values in their configured order with both labels. */
export type CodeList = readonly [
  name: string,
  codes: readonly { readonly value: string; readonly label: { readonly en: string; readonly de: string } }[],
];

type CodeRow = Pick<RawRow<typeof lookupSource>, 'value_key' | 'label_en' | 'label_de'>;

/** The codes of a list: those of the customer, or those of the catalogue if the customer has none. */
const codesOf = (lookup: LookupName, own: readonly CodeRow[]): readonly Code[] =>
  own.length > 0
    ? own.map(({ value_key, label_en, label_de }) => ({ value: value_key, en: label_en, de: label_de }))
    : lookups[lookup].map(([value, en, de]) => ({ value, en, de }));

/** All code lists. */
export const codeLists = async (client: pg.ClientBase, { schema }: { readonly schema: string }): Promise<readonly CodeList[]> => {
  const { rows } = await client.query<CodeRow & Pick<RawRow<typeof lookupSource>, 'catalog_name'>>({
    name: `code lists ${schema}`,
    text: `select catalog_name, value_key, label_en, label_de from ${qualify(schema, lookupSource)}
      where is_active order by catalog_name, sort_no, catalog_value_id`,
  });
  return (Object.keys(lookups) as LookupName[]).map((name): CodeList => {
    const own = rows.filter(({ catalog_name }) => catalog_name === name);
    return [name, codesOf(name, own).map(({ value, en, de }) => ({ value, label: { en, de } }))];
  });
};

/** The codes of a lookup list in their configured order. */
export const readCodes = async (
  client: pg.ClientBase,
  { schema }: { readonly schema: string },
  lookup: LookupName,
): Promise<readonly Code[]> => {
  const { rows } = await client.query<CodeRow>({
    name: `lookup ${schema}`,
    text: `select value_key, label_en, label_de from ${qualify(schema, lookupSource)}
      where catalog_name = $1 and is_active order by sort_no, catalog_value_id`,
    values: [lookup],
  });
  return codesOf(lookup, rows);
};

/** The values of a lookup list in their configured order, with labels in one language or in both. */
export const lookupValues = (codes: readonly Code[], language?: LabelLanguage): readonly LookupValue[] =>
  codes.map((code) => ({ value: code.value, label: labelIn(code, language) }));
