/** The chart of accounts, its use in reports, and the accounts with a budget. */

type Balance = 'asset' | 'liability' | 'income' | 'expense';
export type GlAccount = readonly [number: string, name: string, balance: Balance, operatingCost?: string];

/** Control accounts, which are posted only through the accounts of tenants and creditors. */
export const collectiveAccounts = { tenants: '200000', creditors: '442000' } as const;

export const accounts: readonly GlAccount[] = [
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

export const groupNames: Readonly<Record<string, string>> = {
  '200': 'Forderungen aus Vermietung',
  '274': 'Guthaben bei Kreditinstituten',
  '431': 'Erhaltene Anzahlungen',
  '442': 'Verbindlichkeiten aus Lieferungen und Leistungen',
  '600': 'Sollmieten',
  '800': 'Betriebskosten',
  '805': 'Instandhaltungskosten',
  '840': 'Abschreibungen',
};

export const vatCodes: Readonly<Record<string, string>> = { '255100': 'V19', '255200': 'V7', '455100': 'U19' };
export const closedAccount = '800900';

/** Cash flows by the first digit of an account. */
export const cashClasses: readonly (readonly [first: string, name: string])[] = [
  ['0', 'Investitionen'],
  ['2', 'Umlaufvermögen'],
  ['3', 'Eigenkapital und Rücklagen'],
  ['4', 'Verbindlichkeiten'],
  ['6', 'Einzahlungen aus Bewirtschaftung'],
  ['8', 'Auszahlungen der Bewirtschaftung'],
];

/** Levels of a report for the accounts below a number. */
export const reportLevels: readonly (readonly [below: string, level: string, detail: string])[] = [
  ['600000', 'Bilanz', 'Bestandskonten'],
  ['604000', 'NOI', 'Mieterträge'],
  ['800000', 'NOI', 'Sonstige Erträge'],
  ['805000', 'NOI', 'Betriebskosten'],
  ['807000', 'NOI', 'Instandhaltung'],
  ['840000', 'EBITDA', 'Verwaltung'],
  ['850000', 'EBIT', 'Abschreibungen'],
  ['900000', 'EBT', 'Finanzierung'],
];

/** Years of mappings that are no longer valid. */
export const earlierMappings: readonly (readonly [first: number, last: number])[] = [
  [2012, 2015],
  [2016, 2019],
];

/** Accounts that have a budget. */
export const planned = (
  '600100 600200 600300 601100 601200 602200 800100 800200 800300 801100 801200 802100 ' +
  '802200 802300 802400 802500 803100 803200 803300 804100 805100 805200 806100'
).split(' ');

/** Parts of a thousand by month, for heating costs. */
export const heatingYear = [165, 145, 125, 85, 40, 15, 12, 12, 30, 85, 125, 161];
