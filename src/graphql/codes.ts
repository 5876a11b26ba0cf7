/**
 * Codes of coded columns where an analyst looks for them: written out in descriptions, and as an enum that filters take. Rows
 * show them as text, so that a code which no list had yet reaches every client.
 */
import { type LookupName, lookups } from '../catalogue/lookups.ts';
import { labelOf } from '../read/lookup.ts';
import type { InputEnum, SchemaBuilder } from './builder.ts';
import { camelCase, upperFirst } from './names.ts';

/** `A+` → `A_plus`, `2020` → `_2020`: what GraphQL allows as a name. */
export const enumName = (code: string): string =>
  code
    .replaceAll('+', '_plus')
    .replaceAll(/\W/g, '_')
    .replace(/^(?=\d|true$|false$|null$)/, '_');

/** The enum of a list: `order_type` → `OrderTypeCode`. */
export const codeTypeName = (lookup: LookupName): string => `${upperFirst(camelCase(lookup.replace(/_code$/, '')))}Code`;

/** The filter field beside that of a coded column: `status` → `statusIs`. */
export const codeFilterName = (column: string): string => `${camelCase(column)}Is`;

/** The codes of a list with their labels, as a sentence. */
export const describeCodes = (lookup: LookupName): string =>
  `Codes: ${lookups[lookup].map(([code, en, de]) => `\`${code}\` ${labelOf(en, de)}`).join(', ')}.`;

/** Makes the enum of a list when it is first asked for: a tier has those of its own tables. */
export const createCodeTypes = (builder: SchemaBuilder): ((lookup: LookupName) => InputEnum) => {
  const made = new Map<LookupName, InputEnum>();
  return (lookup) => {
    const known = made.get(lookup);
    if (known) return known;
    const values = lookups[lookup].map(([value, en, de]) => {
      const label = labelOf(en, de);
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
