import type { Formats, Origin } from '../source-file.ts';
import type { ListProfile } from './profile.ts';
import type { TableProposal } from './propose.ts';

/** A list of the export with its origin, its profile and what is proposed for it. */
export interface DraftedList {
  readonly name: string;
  readonly origin: Pick<Origin, 'path' | 'format' | 'encoding' | 'dialect' | 'database' | 'dbtable'>;
  readonly profile: ListProfile;
  readonly formats: Formats;
  /** The raw tables that the list fills, in their order. Empty if none is known. */
  readonly proposals: readonly TableProposal[];
}
