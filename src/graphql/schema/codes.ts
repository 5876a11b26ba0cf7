/**
 * Codes of coded columns in the schema: as text in descriptions, and as an enum in filters. Rows contain codes as text, so that a client
 * also receives codes that are not in a list yet.
 */
import { type LabelLanguage, type LookupName, lookups } from '../../catalogue/lookups.ts';
import { codeLabelOf } from '../../execute/lookup.ts';
import type { InputEnum, SchemaBuilder } from './builder.ts';
import { camelCase, upperFirst } from './names.ts';

/** Turns a code into a valid GraphQL name: `A+` → `A_plus`, `2020` → `_2020`. */
export const enumName = (code: string): string =>
  code
    .replaceAll('+', '_plus')
    .replaceAll(/\W/g, '_')
    .replace(/^(?=\d|true$|false$|null$)/, '_');

/** The enum of a list: `order_type` → `OrderTypeCode`. */
const codeTypeName = (lookup: LookupName): string => `${upperFirst(camelCase(lookup.replace(/_code$/, '')))}Code`;

/** The additional filter field of a coded column: `status` → `statusIs`. */
export const codeFilterName = (column: string): string => `${camelCase(column)}Is`;

/** The languages of labels. */
export const languageEnum = (builder: SchemaBuilder): InputEnum =>
  builder.enumType('Language', {
    description: 'A language of labels.',
    values: { DE: { value: 'de', description: 'German.' }, EN: { value: 'en', description: 'English.' } } satisfies Record<
      Uppercase<LabelLanguage>,
      { readonly value: LabelLanguage; readonly description: string }
    >,
  });

/** The arguments of a field with labels. */
export const labelArguments = (builder: SchemaBuilder, language: InputEnum) =>
  builder.args((t) => ({ language: t.field({ type: language, description: 'The language of labels. The default is both.' }) }));

/** A sentence that lists the codes and their labels. */
export const describeCodes = (lookup: LookupName): string =>
  `Codes: ${lookups[lookup].map(([code, en, de]) => `\`${code}\` ${codeLabelOf(en, de)}`).join(', ')}.`;

/** Makes the enum of a list on first use, so that a tier has only the enums of its own tables. */
export const createCodeTypes = (builder: SchemaBuilder): ((lookup: LookupName) => InputEnum) => {
  const made = new Map<LookupName, InputEnum>();
  return (lookup) => {
    const known = made.get(lookup);
    if (known) return known;
    const values = lookups[lookup].map(([value, en, de]) => {
      const label = codeLabelOf(en, de);
      return [enumName(value), { value, description: enumName(value) === value ? label : `\`${value}\`: ${label}` }];
    });
    const type: InputEnum = builder.enumType(codeTypeName(lookup), {
      description: `Codes of the list \`${lookup}\`. A customer may have others: \`lookupValues\` tells, and \`eq\` and \`in\` take them as text.`,
      values: Object.fromEntries(values),
    });
    made.set(lookup, type);
    return type;
  };
};
