/**
 * The chart of accounts: six digits whose first three follow the GdW chart (dictionary, open choice 22), and its mappings: the
 * management report by account group, and two more reports that get finer with the size of the customer.
 *
 * Tenants and creditors have accounts of their own below the two collective accounts. Within a mapping no two active ranges
 * overlap, and the management report covers every income and expense account once.
 */
import {
  accounts,
  cashClasses,
  closedAccount,
  collectiveAccounts,
  type GlAccount,
  groupNames,
  levelsOf,
  vatCodes,
} from '../data/accounts.ts';
import type { Setting } from '../setting.ts';
import { date, dayOf } from '../values.ts';

const firstAccountId = 101;

export interface Chart {
  /** The id of a general ledger account by its number. */
  id(number: string): number;
  readonly incomeAndExpense: readonly {
    readonly number: string;
    readonly name: string;
    readonly isIncome: boolean;
    readonly isAllocable: boolean;
  }[];
  readonly all: readonly { readonly number: string; readonly name: string }[];
}

export const writeChart = (setting: Setting): Chart => {
  const ids = new Map(accounts.map(([number], i) => [number, firstAccountId + i]));
  for (const account of accounts) writeAccount(setting, account, ids.get(account[0])!);
  return {
    id: (number) => {
      const id = ids.get(number);
      if (id === undefined) throw new RangeError(`no account ${number}`);
      return id;
    },
    incomeAndExpense: accounts
      .filter(([, , balance]) => balance === 'income' || balance === 'expense')
      .map(([number, name, balance, cost]) => ({ number, name, isIncome: balance === 'income', isAllocable: cost !== undefined })),
    all: accounts.map(([number, name]) => ({ number, name })),
  };
};

const writeAccount = ({ batches }: Setting, [number, name, balance, operatingCost]: GlAccount, id: number): void => {
  const isCollective = Object.values<string>(collectiveAccounts).includes(number);
  const closed = number === closedAccount;
  batches.put(
    'account',
    {
      account_id: id,
      account_number: number,
      account_name: name,
      account_type_key: 'gl',
      account_class: Number(number[0]),
      account_group: number.slice(0, 3),
      account_group_name: groupNames[number.slice(0, 3)] ?? name,
      balance_type_key: balance,
      normal_side_key: balance === 'asset' || balance === 'expense' ? 'debit' : 'credit',
      operating_cost_type_key: operatingCost ?? null,
      is_allocable: operatingCost !== undefined,
      vat_code_key: vatCodes[number] ?? 'none',
      is_collective_account: isCollective,
      is_posting_allowed: !isCollective && !closed,
      valid_from: date(dayOf(2000, 1)),
      valid_to: closed ? date(dayOf(2024, 6, 30)) : null,
      is_active: !closed,
    },
    dayOf(2000, 1),
    closed ? dayOf(2024, 7, 1) : dayOf(2000, 1),
  );
};

interface Range {
  readonly mapping: 'management_report' | 'gif_ida' | 'liquidity';
  readonly statement: 'income_statement' | 'cash_flow';
  readonly from: string;
  readonly to: string;
  readonly name: string;
}

const earlierVersions: readonly (readonly [from: number, to: number])[] = [
  [2012, 2015],
  [2016, 2019],
];
const validFrom = dayOf(2020, 1);

const groupsOf = (accounts: Chart['all']): { readonly group: string; readonly name: string }[] => [
  ...new Map(accounts.toReversed().map(({ number, name }) => [number.slice(0, 3), { group: number.slice(0, 3), name }])).values(),
];

const byGroup = (mapping: Range['mapping'], statement: Range['statement'], accounts: Chart['all']): Range[] =>
  groupsOf(accounts)
    .toReversed()
    .map(({ group, name }) => ({ mapping, statement, from: `${group}000`, to: `${group}999`, name }));

const byAccount = (mapping: Range['mapping'], statement: Range['statement'], accounts: Chart['all']): Range[] =>
  accounts.map(({ number, name }) => ({ mapping, statement, from: number, to: number, name }));

const planRanges = (setting: Setting, chart: Chart): Range[] => {
  const report = byGroup('management_report', 'income_statement', chart.incomeAndExpense);
  if (setting.volume.mappingDetail === 'group') {
    const cash = cashClasses.map(
      ([first, name]) => ({ mapping: 'liquidity', statement: 'cash_flow', from: `${first}00000`, to: `${first}99999`, name }) as const,
    );
    return [...report, ...byGroup('gif_ida', 'income_statement', chart.incomeAndExpense), ...cash];
  }
  return [
    ...report,
    ...byAccount('gif_ida', 'income_statement', chart.incomeAndExpense),
    ...byAccount('liquidity', 'cash_flow', chart.all),
  ];
};

export const writeMapping = (setting: Setting, chart: Chart): void => {
  const ranges = planRanges(setting, chart);
  // Large customers keep every range that was ever valid, others a few.
  const kept = setting.volume.mappingDetail === 'account_with_history' ? ranges : ranges.slice(0, 4);
  for (const [i, range] of ranges.entries()) writeRange(setting, range, i, null);
  for (const version of earlierVersions) for (const [i, range] of kept.entries()) writeRange(setting, range, i, version);
};

const writeRange = (setting: Setting, range: Range, index: number, version: readonly [number, number] | null): void => {
  const isIncome = range.from[0] === '6';
  const from = version ? dayOf(version[0], 1) : validFrom;
  const level = levelsOf(range.from);
  setting.batches.put(
    'kontenmapping',
    {
      kontenmapping_id: setting.ids.next('kontenmapping'),
      mapping_name: range.mapping,
      account_from: range.from,
      account_to: range.to,
      target_code: `${isIncome ? 1 : 2}.${index + 1}`,
      target_name: range.name,
      target_group: level[0],
      statement_type_key: range.statement,
      level_1: level[0],
      level_2: level[1],
      level_3: range.mapping === 'gif_ida' ? range.name : null,
      sign: isIncome ? -1 : 1,
      sort_order: (index + 1) * 10,
      is_allocable: level[1] === 'Betriebskosten',
      valid_from: date(from),
      valid_to: version ? date(dayOf(version[1], 12, 31)) : null,
      is_active: version === null,
      comment: index % 10 === 0 ? 'geprüft durch das Controlling' : null,
    },
    from,
  );
};
