import type { Formats, Origin } from '../source-file.ts';
import type { ListProfile } from './profile.ts';
import type { TableProposal } from './propose.ts';

/** A list of the export with its origin, its profile and what is proposed for it. */
export interface DraftedList {
  readonly name: string;
  readonly origin: Pick<Origin, 'path' | 'format' | 'encoding' | 'dialect' | 'database' | 'dbtable'>;
  readonly profile: ListProfile;
  readonly formats: Formats;
  readonly proposal: TableProposal | undefined;
}
