/**
 * The chart of accounts: six digits whose first three follow the GdW chart, and its mappings. These are the management report by account
 * group, and two more reports with more detail for larger customers.
 *
 * Within a mapping no two active ranges overlap. The management report covers every income and expense account once.
 */
import {
  accounts,
  cashClasses,
  closedAccount,
  collectiveAccounts,
  earlierMappings,
  type GlAccount,
  groupNames,
  reportLevels,
  vatCodes,
} from '../data/accounts.ts';
import type { Setting } from '../setting.ts';
import { date, dayOf } from '../values.ts';

const firstAccountId = 101;

export interface Chart {
  /** The id of a general ledger account by its number. Throws a `RangeError` if there is none. */
  id(number: string): number;
}

export const writeChart = (setting: Setting): Chart => {
  const ids = new Map(accounts.map(([number], i) => [number, firstAccountId + i]));
  for (const account of accounts) writeAccount(setting, account, ids.get(account[0])!);
  writeMappings(setting);
  return {
    id: (number) => {
      const id = ids.get(number);
      if (id === undefined) throw new RangeError(`no account ${number}`);
      return id;
    },
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

type Report = readonly [mapping: string, statement: 'income_statement' | 'cash_flow'];
type Range = readonly [report: Report, from: string, to: string, name: string];

const incomeAndExpense = accounts.filter(([, , balance]) => balance === 'income' || balance === 'expense');

/** One range per group, with the name of its first account. */
const byGroup = (report: Report): Range[] => {
  const names = new Map<string, string>();
  for (const [number, name] of incomeAndExpense) if (!names.has(number.slice(0, 3))) names.set(number.slice(0, 3), name);
  return [...names].map(([group, name]) => [report, `${group}000`, `${group}999`, name]);
};

const byAccount = (report: Report, of: readonly GlAccount[]): Range[] => of.map(([number, name]) => [report, number, number, name]);

const planRanges = ({ volume }: Setting): Range[] => {
  const [management, gif, liquidity] = [
    ['management_report', 'income_statement'],
    ['gif_ida', 'income_statement'],
    ['liquidity', 'cash_flow'],
  ] as const;
  if (volume.mappingDetail !== 'group')
    return [...byGroup(management), ...byAccount(gif, incomeAndExpense), ...byAccount(liquidity, accounts)];
  const cash = cashClasses.map(([first, name]): Range => [liquidity, `${first}00000`, `${first}99999`, name]);
  return [...byGroup(management), ...byGroup(gif), ...cash];
};

const writeMappings = (setting: Setting): void => {
  const ranges = planRanges(setting);
  // Large customers keep every former range, others a few.
  const kept = setting.volume.mappingDetail === 'account_with_history' ? ranges : ranges.slice(0, 4);
  for (const [i, range] of ranges.entries()) writeRange(setting, range, i, [2020, null]);
  for (const years of earlierMappings) for (const [i, range] of kept.entries()) writeRange(setting, range, i, years);
};

const writeRange = (
  { batches, ids }: Setting,
  [[mapping, statement], from, to, name]: Range,
  index: number,
  [first, last]: readonly [first: number, last: number | null],
): void => {
  const isIncome = from.startsWith('6');
  const [, ...levels] = reportLevels.find(([end]) => from < end)!;
  batches.put(
    'kontenmapping',
    {
      kontenmapping_id: ids.next('kontenmapping'),
      mapping_name: mapping,
      account_from: from,
      account_to: to,
      target_code: `${isIncome ? 1 : 2}.${index + 1}`,
      target_name: name,
      target_group: levels[0],
      statement_type_key: statement,
      level_1: levels[0],
      level_2: levels[1],
      level_3: mapping === 'gif_ida' ? name : null,
      sign: isIncome ? -1 : 1,
      sort_order: (index + 1) * 10,
      is_allocable: levels[1] === 'Betriebskosten',
      valid_from: date(dayOf(first, 1)),
      valid_to: last === null ? null : date(dayOf(last, 12, 31)),
      is_active: last === null,
      comment: index % 10 === 0 ? 'geprüft durch das Controlling' : null,
    },
    dayOf(first, 1),
  );
};
