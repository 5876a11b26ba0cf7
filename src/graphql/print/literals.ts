/** Parts of a document as text: values, objects around a value, and the names of relations. */
import type { Kind } from '../../catalogue/column.ts';
import { kinds } from '../../catalogue/kinds.ts';
import type { Path, RelationStep } from '../../plan/paths.ts';
import type { RelationsOf } from '../../query/relation-names.ts';
import { refuse, relationOf } from '../../query/write/conditions.ts';
import { groupEnumName } from '../schema/groups/shared.ts';

const smallest = -(2 ** 31);
const largest = 2 ** 31 - 1;

const integerLiteral = (text: string): string => {
  const value = Number(text);
  return value >= smallest && value <= largest ? text : refuse('GraphQL has no integers of more than 32 bits for such a column');
};

/** GraphQL reads a number as a double, so its digits must survive that. */
const numberLiteral = (text: string): string => {
  const [, sign = '', whole = '', decimals = ''] = /^([+-]?)0*(\d+)(?:\.(\d*?)0*)?$/.exec(text) ?? [];
  const plain = `${sign === '-' ? '-' : ''}${whole}${decimals === '' ? '' : `.${decimals}`}`;
  return String(Number(plain)) === plain.replace(/^-0$/, '0') ? plain : refuse('GraphQL has no numbers with so many digits');
};

/** Text as a string of GraphQL, which has no unpaired surrogates. */
export const textLiteral = (text: string): string =>
  /\p{Cs}/u.test(text) ? refuse('GraphQL has no text with unpaired surrogates') : JSON.stringify(text);

/** The value of a condition or an argument. Throws `Unwritable` if GraphQL cannot say it. */
export const graphqlLiteral = (kind: Kind, text: string): string => {
  const { scalar } = kinds[kind];
  if (scalar === 'Int') return integerLiteral(text);
  if (scalar === 'Float') return numberLiteral(text);
  return scalar === 'BigInt' || scalar === 'Boolean' ? text : textLiteral(text);
};

/** Objects around a value, one for each name: `{ property: { city: … } }`. */
export const nested = (names: readonly string[], value: string): string =>
  names.reduceRight((inner, name) => `{ ${name}: ${inner} }`, value);

/** The fields of the relations that steps follow from a table. */
export const relationFields = (table: string, via: readonly RelationStep[], relationsOf: RelationsOf): readonly string[] => {
  const [step, ...rest] = via;
  if (!step) return [];
  const { name, target } = relationOf(table, step, relationsOf);
  return [name, ...relationFields(target, rest, relationsOf)];
};

/** The input that names a column of a row, or of a related row. */
export const columnInput = (table: string, path: Path, relationsOf: RelationsOf): string =>
  nested(relationFields(table, path.via, relationsOf), `{ column: ${groupEnumName(path.column)} }`);
