/** Which parts of an address or a name the values of a column have. */
import { Rejection } from '../../../sync/files/rejections.ts';
import { partOf } from '../../columns/parts.ts';
import type { Part } from '../../source-file.ts';
import type { ColumnProfile } from '../lists/profile.ts';
import { type ColumnProposal, given } from './proposal.ts';

/** The targets of the parts of an address. */
export const addressParts = {
  street: 'street',
  house_no: 'houseNumber',
  postal_code: 'postalCode',
  city: 'city',
} as const satisfies Record<string, Part>;

export interface PartTarget {
  readonly target: string;
  readonly part: Part;
}

export const partOfAddress = (target: keyof typeof addressParts): PartTarget => ({ target, part: addressParts[target] });

/** A part of the values of a column. */
export const partOfColumn = (column: ColumnProfile, { target, part }: PartTarget, evidence: string): ColumnProposal =>
  given(target, column, { from: column.name, part }, evidence);

/** The part of a value: null if the value lacks it, undefined if it has no such form. */
export const partIn = (part: Part, value: string): string | null | undefined => {
  try {
    return partOf(part, value);
  } catch (error) {
    if (error instanceof Rejection) return undefined;
    throw error;
  }
};

/** Whether all values that were seen have this part. */
export const hasPart = ({ sample }: ColumnProfile, part: Part): boolean =>
  sample.size > 0 && [...sample].every((value) => typeof partIn(part, value) === 'string');
