/**
 * Who shares what is made for a key. Everything that is stored or cached for callers has one of these texts in its name: files, cached
 * responses, tags, cursors, schemas, interface descriptions and pages. Callers with the same text get the same bytes (contract: data scopes).
 */
import { type DataScope, hidesColumn, isNarrowed } from './data-scope.ts';
import type { DatasetKind } from './table.ts';
import type { EndpointGroup, Tier } from './tiers.ts';

/** What decides how much of the interface and of the data a caller sees. */
export interface Rights {
  readonly tier: Tier;
  readonly groups: ReadonlySet<EndpointGroup>;
  readonly scope?: DataScope | undefined;
}

/** A table as a source of rows. */
interface Rows {
  readonly kind: DatasetKind;
  readonly name: string;
  readonly scope?: DataScope | undefined;
}

/** Callers who see the same tables, columns and relations over GraphQL. */
export const schemaReaders = ({ tier, scope }: Pick<Rights, 'tier' | 'scope'>): string => (scope ? `${tier} ${scope.shape}` : tier);

/** Callers to whom the interface is described in the same way. No caller: the whole interface. */
export const interfaceReaders = (rights: Rights | undefined): string =>
  rights ? `${schemaReaders(rights)} ${[...rights.groups].sort().join()}` : '';

/** Callers who see the same rows and columns of all tables over GraphQL. */
export const rowReaders = ({ tier, scope }: Pick<Rights, 'tier' | 'scope'>): string => (scope ? `${tier} ${scope.key}` : tier);

/** Callers who see the same rows and columns, as the end of a JSON array. It cannot be confused with other parts. */
export const scopePart = ({ scope }: Pick<Rows, 'scope'>): readonly { readonly scope: string }[] => (scope ? [{ scope: scope.key }] : []);

/** Callers who see the same rows and columns of one table: its columns, those that are hidden, and the property set if it limits the rows. */
export const tableReaders = ({ kind, name, scope }: Rows, columns: readonly string[]): string =>
  JSON.stringify([
    kind,
    name,
    columns,
    columns.filter((column) => hidesColumn(scope, kind, name, column)),
    isNarrowed(scope, kind, name) ? scope?.key : null,
  ]);
