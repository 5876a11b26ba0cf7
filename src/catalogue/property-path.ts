/** How rows belong to properties. Keys with a property set read only rows of its properties (contract: property sets). */

/** A step to the row of another table of the same kind whose `targetColumn` equals this row's `column`. */
export interface PropertyStep {
  readonly column: string;
  readonly target: string;
  /** Unique. */
  readonly targetColumn: string;
}

/** The column with the property of a row, of the row itself or at the end of the steps. */
export interface PropertyPath {
  readonly via: readonly PropertyStep[];
  readonly column: string;
  /** Whether rows without a property belong to all of them. */
  readonly isSharedWithout: boolean;
}

/** Rows of all properties, such as code lists. */
export const shared = 'shared';

/** Absent: the rows belong to no property, and keys with a property set do not see the table. */
export type PropertyOf = PropertyPath | typeof shared;

/** The row has the id of its property. */
export const ownProperty: PropertyPath = { via: [], column: 'property_id', isSharedWithout: false };
/** As `ownProperty`; rows without a property are shared. */
export const ownPropertyOrShared: PropertyPath = { ...ownProperty, isSharedWithout: true };
/** The row belongs to the property of another row. */
export const propertyOf = (column: string, target: string, targetColumn = column): PropertyPath => ({
  ...ownProperty,
  via: [{ column, target, targetColumn }],
});
