/** The names of relations in query strings. */
import type { ResolvedRelation } from '../catalogue/index.ts';

/** Relations of a table. */
export type RelationsOf = (table: string) => readonly ResolvedRelation[];

/** `propertyManager` is `property_manager`. */
export const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Relations with their names in query strings. */
export const withQueryNames =
  (relationsOf: RelationsOf): RelationsOf =>
  (table) =>
    relationsOf(table).map((relation) => ({ ...relation, name: snakeCase(relation.name) }));
