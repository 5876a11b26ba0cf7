/** The code lists of raw columns: those of `lookups.ts`, and lists of columns that no category table passes on. */
import { lookups } from '../lookups.ts';

/** By the column without `_key`: value, English label, German label. No answer has them, so `/meta` does not list them. */
const unpublished = {
  person_type: [
    ['natural', 'natural', 'natürlich'],
    ['legal', 'legal', 'juristisch'],
  ],
  invoice_type: [
    ['partial', 'partial', 'Teilrechnung'],
    ['final', 'final', 'Schlussrechnung'],
    ['single', 'single', 'Einzelrechnung'],
  ],
  reporter_type: [
    ['tenant', 'tenant', 'Mieter'],
    ['employee', 'employee', 'Mitarbeiter'],
    ['owner', 'owner', 'Eigentümer'],
    ['creditor', 'creditor', 'Kreditor'],
  ],
} as const;

export const rawLookups = { ...lookups, ...unpublished };
export type RawLookupName = keyof typeof rawLookups;

/** The list of a column that no category table passes on. */
export const unpublishedLookup = (column: string): RawLookupName | undefined => {
  const name = column.replace(/_key$/, '');
  return Object.hasOwn(unpublished, name) ? (name as keyof typeof unpublished) : undefined;
};
