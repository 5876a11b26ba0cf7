/**
 * The chart of accounts: six digits whose first three follow the GdW chart (dictionary, open choice 22).
 * Tenants and creditors have accounts of their own below the two collective accounts.
 */
import type { Setting } from '../setting.ts';
import { date, dayOf } from '../source/calendar.ts';

type Balance = 'asset' | 'liability' | 'income' | 'expense';
type GlAccount = readonly [number: string, name: string, balance: Balance, operatingCost?: string];

/** Control accounts, posted only through the accounts of tenants and creditors. */
export const collectiveAccounts = { tenants: '200000', creditors: '442000' } as const;

const accounts: readonly GlAccount[] = [
  ['001100', 'Grundstückskosten', 'asset'],
  ['002100', 'Gebäudekosten Wohnbauten', 'asset'],
  ['002200', 'Gebäudekosten Geschäftsbauten', 'asset'],
  ['003100', 'Außenanlagen', 'asset'],
  ['010100', 'Software und Lizenzen', 'asset'],
  ['040100', 'Technische Anlagen', 'asset'],
  ['050100', 'Betriebs- und Geschäftsausstattung', 'asset'],
  ['060100', 'Anlagen im Bau', 'asset'],
  ['200000', 'Mietenkontokorrent', 'asset'],
  ['201100', 'Forderungen aus Umlagenabrechnung', 'asset'],
  ['255100', 'Vorsteuer 19 %', 'asset'],
  ['255200', 'Vorsteuer 7 %', 'asset'],
  ['274100', 'Bank Mietenkonto', 'asset'],
  ['274200', 'Bank Instandhaltungsrücklage', 'asset'],
  ['275100', 'Bank Kautionen', 'asset'],
  ['290100', 'Aktive Rechnungsabgrenzung', 'asset'],
  ['300100', 'Eigenkapital', 'liability'],
  ['310100', 'Erhaltungsrücklage', 'liability'],
  ['380100', 'Rückstellungen Bauinstandhaltung', 'liability'],
  ['410100', 'Verbindlichkeiten Kreditinstitute', 'liability'],
  ['431100', 'Anzahlungen Betriebskosten', 'liability'],
  ['431200', 'Anzahlungen Heizkosten', 'liability'],
  ['432100', 'Mietkautionen', 'liability'],
  ['442000', 'Verbindlichkeiten aus Lieferungen und Leistungen', 'liability'],
  ['443100', 'Sicherheitseinbehalte', 'liability'],
  ['455100', 'Umsatzsteuer 19 %', 'liability'],
  ['490100', 'Passive Rechnungsabgrenzung', 'liability'],
  ['600100', 'Sollmieten Wohnungen', 'income'],
  ['600200', 'Sollmieten Gewerbe', 'income'],
  ['600300', 'Sollmieten Stellplätze', 'income'],
  ['600400', 'Sollmieten preisgebundene Wohnungen', 'income'],
  ['601100', 'Abgerechnete Betriebskosten', 'income'],
  ['601200', 'Abgerechnete Heizkosten', 'income'],
  ['602100', 'Hausgeld', 'income'],
  ['602200', 'Modernisierungszuschläge', 'income'],
  ['602300', 'Sonstige Zuschläge', 'income'],
  ['604100', 'Verwaltergebühren', 'income'],
  ['605100', 'Antennen- und Werbeflächen', 'income'],
  ['660100', 'Versicherungsentschädigungen', 'income'],
  ['661100', 'Erträge aus Anlageabgängen', 'income'],
  ['669100', 'Sonstige betriebliche Erträge', 'income'],
  ['800100', 'Grundsteuer', 'expense', 'property_tax'],
  ['800200', 'Wasserversorgung', 'expense', 'water'],
  ['800300', 'Entwässerung', 'expense', 'sewage'],
  ['800900', 'Kabelanschluss (alt)', 'expense', 'antenna'],
  ['801100', 'Heizung', 'expense', 'heating'],
  ['801200', 'Warmwasser', 'expense', 'hot_water'],
  ['802100', 'Aufzug', 'expense', 'elevator'],
  ['802200', 'Straßenreinigung und Müll', 'expense', 'street_cleaning_waste'],
  ['802300', 'Gebäudereinigung', 'expense', 'cleaning_pest'],
  ['802400', 'Gartenpflege', 'expense', 'gardening'],
  ['802500', 'Beleuchtung', 'expense', 'lighting'],
  ['802600', 'Schornsteinreinigung', 'expense', 'chimney'],
  ['803100', 'Sach- und Haftpflichtversicherung', 'expense', 'insurance'],
  ['803200', 'Hauswart', 'expense', 'caretaker'],
  ['803300', 'Breitband', 'expense', 'antenna'],
  ['803400', 'Wäschepflege', 'expense', 'laundry'],
  ['803900', 'Sonstige Betriebskosten', 'expense', 'other'],
  ['804100', 'Nicht umlagefähige Betriebskosten', 'expense'],
  ['805100', 'Laufende Instandhaltung', 'expense'],
  ['805200', 'Großinstandhaltung', 'expense'],
  ['805300', 'Leerwohnungssanierung', 'expense'],
  ['805400', 'Versicherungsschäden', 'expense'],
  ['806100', 'Wartung technischer Anlagen', 'expense', 'other'],
  ['807100', 'Miet- und Räumungsklagen', 'expense'],
  ['808100', 'Vermietungskosten', 'expense'],
  ['810100', 'Personalaufwand', 'expense'],
  ['820100', 'Verwaltungskosten', 'expense'],
  ['821100', 'EDV-Kosten', 'expense'],
  ['840100', 'Abschreibungen auf Gebäude', 'expense'],
  ['840200', 'Abschreibungen auf Anlagen', 'expense'],
  ['841100', 'Außerplanmäßige Abschreibungen', 'expense'],
  ['850100', 'Zinsaufwand', 'expense'],
  ['855100', 'Sonstige Steuern', 'expense'],
];

const groupNames: Readonly<Record<string, string>> = {
  '200': 'Forderungen aus Vermietung',
  '274': 'Guthaben bei Kreditinstituten',
  '431': 'Erhaltene Anzahlungen',
  '442': 'Verbindlichkeiten aus Lieferungen und Leistungen',
  '600': 'Sollmieten',
  '800': 'Betriebskosten',
  '805': 'Instandhaltungskosten',
  '840': 'Abschreibungen',
};

const vatCodes: Readonly<Record<string, string>> = { '255100': 'V19', '255200': 'V7', '455100': 'U19' };
const closedAccount = '800900';
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
