/**
 * Account mappings: the management report by account group, and two more reports that get finer with the size of the customer.
 *
 * Within a mapping no two active ranges overlap, and the management report covers every income and expense account once.
 */
import type { Setting } from '../setting.ts';
import { date, dayOf } from '../source/calendar.ts';
import type { Chart } from './chart.ts';

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

const cashClasses: readonly (readonly [first: string, name: string])[] = [
  ['0', 'Investitionen'],
  ['2', 'Umlaufvermögen'],
  ['3', 'Eigenkapital und Rücklagen'],
  ['4', 'Verbindlichkeiten'],
  ['6', 'Einzahlungen aus Bewirtschaftung'],
  ['8', 'Auszahlungen der Bewirtschaftung'],
];

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

const levelsOf = (account: string): readonly [string, string] => {
  if (account < '600000') return ['Bilanz', 'Bestandskonten'];
  if (account < '604000') return ['NOI', 'Mieterträge'];
  if (account < '800000') return ['NOI', 'Sonstige Erträge'];
  if (account < '805000') return ['NOI', 'Betriebskosten'];
  if (account < '807000') return ['NOI', 'Instandhaltung'];
  if (account < '840000') return ['EBITDA', 'Verwaltung'];
  return account < '850000' ? ['EBIT', 'Abschreibungen'] : ['EBT', 'Finanzierung'];
};
