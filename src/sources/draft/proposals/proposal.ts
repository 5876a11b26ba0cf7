/** What a draft proposes for a raw table: its columns, its key and its rows, each with the evidence. */
import { type RawTableName, rawTables } from '../../../catalogue/raw/index.ts';
import { partsOf, type RawTable } from '../../../catalogue/raw-table.ts';
import type { ColumnRule, KeyPart, TableRule } from '../../source-file.ts';
import type { ColumnProfile } from '../lists/profile.ts';
import type { FoundCodes } from '../words/fit.ts';

export interface ColumnProposal extends FoundCodes {
  readonly target: string;
  readonly profile: ColumnProfile;
  readonly evidence: string;
  readonly references: RawTableName | undefined;
  /** The whole rule, if it follows from the list itself. */
  readonly rule?: ColumnRule;
  /** A doubt about the column. */
  readonly question?: string;
  /** The value follows from others: it is no reading of a column, and no question. */
  readonly isDerived?: boolean;
}

/** A column of the list for a target. `rule`: the whole rule, if it follows from the list. */
export const given = (target: string, profile: ColumnProfile, rule: ColumnRule | undefined, evidence: string): ColumnProposal => ({
  target,
  profile,
  evidence,
  references: undefined,
  codes: undefined,
  unknown: [],
  ...(rule && { rule }),
});

/** The account of a tenancy has the number of the contract, so one column is both. `rule`: how the number is read. */
export const accountColumn = (column: ColumnProfile, rule: ColumnRule = { from: column.name }): ColumnProposal =>
  given('account_id', column, { ...rule, references: 'account', unresolved: 'assign' }, 'each tenancy has an account');

/** The column with the number of the contract and of its account. */
export const contractColumn = (columns: readonly ColumnProposal[]): ColumnProposal | undefined =>
  columns.find(({ target }) => target === 'account_id') ?? columns.find(({ target }) => target === 'contract_number');

export interface TableProposal {
  readonly table: RawTableName;
  readonly evidence: string;
  readonly columns: readonly ColumnProposal[];
  /** Which rows of the list are rows of the table. */
  readonly rows?: Pick<TableRule, 'skip' | 'latest'>;
  /** The columns that identify a row; `$row` if none do. */
  readonly key: readonly KeyPart[];
  readonly keyEvidence: string;
  /** A doubt about the rows as a whole. */
  readonly question?: string | undefined;
  readonly unassigned: readonly ColumnProfile[];
  /** Required columns without a source. */
  readonly missing: readonly string[];
  /** The proposal from which this one differs in few columns. */
  readonly variantOf?: TableProposal;
}

/** Required columns of a table that none of these targets fills. The key and the times of rows need no source. */
export const missingOf = (table: RawTableName, targets: ReadonlySet<string>): string[] => {
  const { key, columns }: RawTable = rawTables[table];
  return Object.entries(columns).flatMap(([name, column]) =>
    partsOf(column).required && name !== key && name !== 'created_at' && name !== 'changed_at' && !targets.has(name) ? [name] : [],
  );
};
