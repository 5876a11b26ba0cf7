/** The words of the page in English and German. */

import type { Connective } from '../../../../plan/vocabulary/operators.ts';
import type { ChartTexts } from '../../../browser/chart-view.tsx';
import { englishChart } from '../../../browser/chart-view.tsx';
import type { KeyTexts } from '../../../browser/key.ts';
import type { LanguageCode } from '../../described.ts';
import type { Preset } from '../view/periods.ts';
import type { ValueList } from '../view/view.ts';

export type { LanguageCode };

export interface Texts {
  readonly key: KeyTexts;
  readonly title: string;
  readonly lead: string;
  readonly tables: string;
  readonly questions: string;
  readonly find: string;
  readonly findHint: string;
  readonly notFound: string;
  readonly rows: (count: string) => string;
  readonly groupsCount: (count: string) => string;
  readonly loaded: (age: string) => string;
  readonly never: string;
  readonly filter: string;
  readonly columns: string;
  readonly summarize: string;
  readonly showRows: string;
  readonly take: string;
  readonly language: string;
  readonly removeFilter: (text: string) => string;
  readonly clearFilters: string;
  readonly noRows: string;
  readonly loading: string;
  readonly next: string;
  readonly previous: string;
  readonly page: (from: string, to: string, total: string) => string;
  readonly openRow: (name: string) => string;
  readonly columnMenu: (name: string) => string;
  readonly ascending: string;
  readonly descending: string;
  readonly hide: string;
  readonly groupBy: string;
  readonly sumUp: string;
  readonly values: string;
  readonly search: string;
  readonly quoted: (text: string) => string;
  readonly connectives: Readonly<Record<Connective, string>>;
  readonly searchColumns: string;
  readonly contains: string;
  readonly from: string;
  readonly to: string;
  readonly apply: string;
  readonly empty: string;
  readonly notEmpty: string;
  readonly yes: string;
  readonly no: string;
  readonly presets: Readonly<Record<Preset, string>>;
  readonly over: (value: string) => string;
  readonly below0: string;
  readonly noValue: string;
  readonly chosen: string;
  readonly more: string;
  readonly computedColumn: string;
  readonly computation: string;
  readonly firstColumn: string;
  readonly secondColumn: string;
  readonly addColumn: string;
  readonly moveUp: (name: string) => string;
  readonly moveDown: (name: string) => string;
  readonly standardColumns: string;
  readonly close: string;
  readonly address: string;
  readonly addressHint: string;
  readonly copy: string;
  readonly copied: string;
  readonly notAllowed: string;
  readonly csv: string;
  readonly graphiql: string;
  readonly saveQuestion: string;
  readonly graphql: string;
  readonly link: string;
  readonly programs: string;
  readonly programsHint: string;
  readonly powerQuery: string;
  readonly parquet: string;
  readonly keys: string;
  readonly figures: string;
  readonly addKey: string;
  readonly across: string;
  readonly noColumns: string;
  readonly tooWide: (columns: string, most: string) => string;
  readonly asOf: string;
  readonly asOfHint: string;
  readonly addValue: string;
  readonly remove: (name: string) => string;
  readonly count: string;
  readonly total: string;
  readonly chart: string;
  readonly lists: Readonly<Record<ValueList, string>>;
  readonly buckets: Readonly<Record<string, string>>;
  readonly measures: string;
  readonly related: string;
  readonly allColumns: string;
  readonly meaning: string;
  readonly rowMissing: string;
  readonly back: string;
  readonly failures: {
    readonly title: string;
    readonly noKey: string;
    readonly key: string;
    readonly forbidden: string;
    readonly quota: (minutes: string) => string;
    readonly busy: string;
    readonly offline: string;
    readonly missing: string;
    readonly other: string;
    readonly retry: string;
    readonly noTables: string;
  };
  readonly checks: (count: number) => string;
  readonly firstGroups: (shown: string, all: string) => string;
  readonly chartTexts: ChartTexts;
}

const english: Texts = {
  key: {
    used: 'Key in use until this tab is closed.',
    missing: 'Enter an API key to see its tables.',
    choose: 'Choose a demo key, or enter an API key.',
  },
  title: 'Explore',
  lead: 'Choose a table, or start from a question.',
  tables: 'Tables',
  questions: 'Questions',
  find: 'Find by name, number or address',
  findHint: 'At least two characters',
  notFound: 'Nothing found.',
  rows: (count) => `${count} rows`,
  groupsCount: (count) => `${count} groups`,
  loaded: (age) => `loaded ${age}`,
  never: 'never loaded',
  filter: 'Filter',
  columns: 'Columns',
  summarize: 'Summarize',
  showRows: 'Show rows',
  take: 'Share and export',
  language: 'Language',
  removeFilter: (text) => `Remove filter: ${text}`,
  clearFilters: 'Remove all filters',
  noRows: 'No rows match these filters.',
  loading: 'Loading',
  next: 'Next',
  previous: 'Previous',
  page: (from, to, total) => `${from}–${to} of ${total}`,
  openRow: (name) => `Open ${name}`,
  columnMenu: (name) => `Sort and filter ${name}`,
  ascending: 'Sort ascending',
  descending: 'Sort descending',
  hide: 'Hide column',
  groupBy: 'Group by this',
  sumUp: 'Sum up',
  values: 'Values',
  search: 'Search',
  quoted: (text) => `“${text}”`,
  connectives: { any: 'or', all: 'and' },
  searchColumns: 'Search columns',
  contains: 'Contains',
  from: 'From',
  to: 'To',
  apply: 'Apply',
  empty: 'Empty',
  notEmpty: 'Not empty',
  yes: 'yes',
  no: 'no',
  presets: {
    thisMonth: 'This month',
    lastMonth: 'Last month',
    thisYear: 'This year',
    lastYear: 'Last year',
    last12Months: 'Last 12 months',
    next12Months: 'Next 12 months',
    next90Days: 'Next 90 days',
    overdue: 'Before today',
    olderThan30Days: 'Older than 30 days',
  },
  over: (value) => `Over ${value}`,
  below0: 'Below 0',
  noValue: '(none)',
  chosen: 'Shown',
  more: 'More columns',
  computedColumn: 'Computed column',
  computation: 'Computation',
  firstColumn: 'First column',
  secondColumn: 'Second column',
  addColumn: 'Add column',
  moveUp: (name) => `Move ${name} up`,
  moveDown: (name) => `Move ${name} down`,
  standardColumns: 'Standard columns',
  close: 'Close',
  address: 'This view as one request',
  addressHint: 'Send it with the key in the header X-API-Key.',
  copy: 'Copy',
  copied: 'Copied',
  notAllowed: 'Not allowed',
  csv: 'Download CSV',
  graphiql: 'Open in GraphiQL',
  saveQuestion: 'Save as question',
  graphql: 'This view as a GraphQL document',
  link: 'Copy link to this view',
  programs: 'Excel, Power BI and other programs',
  programsHint: 'The program asks for a user name, which may be anything, and a password, which is the key.',
  powerQuery: 'This view in Power Query',
  parquet: 'The whole table as a Parquet file',
  keys: 'Group by',
  figures: 'Show',
  addKey: 'Add group',
  across: 'As columns',
  noColumns: '(none)',
  tooWide: (columns, most) => `${columns} columns are too many to read. At most ${most} are possible, so these are rows.`,
  asOf: 'As-of day',
  asOfHint: 'The rows that are valid on the last day of each month, quarter or year',
  addValue: 'Add figure',
  remove: (name) => `Remove ${name}`,
  count: 'Count',
  total: 'Total',
  chart: 'Chart',
  lists: {
    sum: 'Sum',
    avg: 'Average',
    min: 'Minimum',
    max: 'Maximum',
    distinct: 'Different values',
    median: 'Median',
    stddev: 'Standard deviation',
    sum_once: 'Sum',
    measure: 'Measure',
  },
  buckets: {
    '': 'Each value',
    day: 'Day',
    week: 'Week',
    month: 'Month',
    quarter: 'Quarter',
    year: 'Year',
    age: 'Age',
    ranges: 'Bands',
    width: 'Bands',
  },
  measures: 'Measures',
  related: 'Related rows',
  allColumns: 'All columns',
  meaning: 'Meaning',
  rowMissing: 'There is no such row, or this key may not read it.',
  back: 'Tables',
  failures: {
    title: 'The data could not be read',
    noKey: 'Enter an API key above to see its tables.',
    key: 'This API key is not valid: it may have expired or been revoked. Enter another one above.',
    forbidden: 'This API key does not include these data.',
    quota: (minutes) => `The requests of this hour are used up. They are back in ${minutes} minutes.`,
    busy: 'The service is busy, or the question takes too long. Try again, or narrow it with a filter.',
    offline: 'The service cannot be reached. Check the connection.',
    missing: 'There is no such table for this key.',
    other: 'The service refused the request:',
    retry: 'Try again',
    noTables: 'This API key has no tables over REST.',
  },
  checks: (count) => (count === 1 ? '1 failed check' : `${count} failed checks`),
  firstGroups: (shown, all) => `The first ${shown} of ${all} groups.`,
  chartTexts: englishChart,
};

const german: Texts = {
  key: {
    used: 'Schlüssel gilt, bis dieser Tab geschlossen wird.',
    missing: 'API-Schlüssel eingeben, um seine Tabellen zu sehen.',
    choose: 'Demo-Schlüssel wählen oder API-Schlüssel eingeben.',
  },
  title: 'Daten ansehen',
  lead: 'Wählen Sie eine Tabelle, oder beginnen Sie mit einer Frage.',
  tables: 'Tabellen',
  questions: 'Fragen',
  find: 'Name, Nummer oder Adresse suchen',
  findHint: 'Mindestens zwei Zeichen',
  notFound: 'Nichts gefunden.',
  rows: (count) => `${count} Zeilen`,
  groupsCount: (count) => `${count} Gruppen`,
  loaded: (age) => `geladen ${age}`,
  never: 'nie geladen',
  filter: 'Filter',
  columns: 'Spalten',
  summarize: 'Zusammenfassen',
  showRows: 'Zeilen zeigen',
  take: 'Teilen und exportieren',
  language: 'Sprache',
  removeFilter: (text) => `Filter entfernen: ${text}`,
  clearFilters: 'Alle Filter entfernen',
  noRows: 'Keine Zeilen zu diesen Filtern.',
  loading: 'Lädt',
  next: 'Weiter',
  previous: 'Zurück',
  page: (from, to, total) => `${from}–${to} von ${total}`,
  openRow: (name) => `${name} öffnen`,
  columnMenu: (name) => `${name} sortieren und filtern`,
  ascending: 'Aufsteigend sortieren',
  descending: 'Absteigend sortieren',
  hide: 'Spalte ausblenden',
  groupBy: 'Danach gruppieren',
  sumUp: 'Summieren',
  values: 'Werte',
  search: 'Suchen',
  quoted: (text) => `„${text}“`,
  connectives: { any: 'oder', all: 'und' },
  searchColumns: 'Spalten suchen',
  contains: 'Enthält',
  from: 'Von',
  to: 'Bis',
  apply: 'Anwenden',
  empty: 'Leer',
  notEmpty: 'Nicht leer',
  yes: 'ja',
  no: 'nein',
  presets: {
    thisMonth: 'Dieser Monat',
    lastMonth: 'Letzter Monat',
    thisYear: 'Dieses Jahr',
    lastYear: 'Letztes Jahr',
    last12Months: 'Letzte 12 Monate',
    next12Months: 'Nächste 12 Monate',
    next90Days: 'Nächste 90 Tage',
    overdue: 'Vor heute',
    olderThan30Days: 'Älter als 30 Tage',
  },
  over: (value) => `Über ${value}`,
  below0: 'Unter 0',
  noValue: '(ohne)',
  chosen: 'Gezeigt',
  more: 'Weitere Spalten',
  computedColumn: 'Berechnete Spalte',
  computation: 'Berechnung',
  firstColumn: 'Erste Spalte',
  secondColumn: 'Zweite Spalte',
  addColumn: 'Spalte hinzufügen',
  moveUp: (name) => `${name} nach oben`,
  moveDown: (name) => `${name} nach unten`,
  standardColumns: 'Standardspalten',
  close: 'Schließen',
  address: 'Diese Ansicht als eine Anfrage',
  addressHint: 'Mit dem Schlüssel im Kopf X-API-Key zu senden.',
  copy: 'Kopieren',
  copied: 'Kopiert',
  notAllowed: 'Nicht erlaubt',
  csv: 'CSV herunterladen',
  graphiql: 'In GraphiQL öffnen',
  saveQuestion: 'Als Frage speichern',
  graphql: 'Diese Ansicht als GraphQL-Dokument',
  link: 'Link zu dieser Ansicht kopieren',
  programs: 'Excel, Power BI und andere Programme',
  programsHint: 'Das Programm fragt nach einem beliebigen Benutzernamen und nach einem Passwort: dem Schlüssel.',
  powerQuery: 'Diese Ansicht in Power Query',
  parquet: 'Die ganze Tabelle als Parquet-Datei',
  keys: 'Gruppieren nach',
  figures: 'Zeigen',
  addKey: 'Gruppe hinzufügen',
  across: 'Als Spalten',
  noColumns: '(keine)',
  tooWide: (columns, most) => `${columns} Spalten sind zu viele zum Lesen. Möglich sind ${most}, deshalb sind es Zeilen.`,
  asOf: 'Stichtag',
  asOfHint: 'Die Zeilen, die am letzten Tag jedes Monats, Quartals oder Jahres gelten',
  addValue: 'Zahl hinzufügen',
  remove: (name) => `${name} entfernen`,
  count: 'Anzahl',
  total: 'Summe',
  chart: 'Diagramm',
  lists: {
    sum: 'Summe',
    avg: 'Durchschnitt',
    min: 'Minimum',
    max: 'Maximum',
    distinct: 'Verschiedene',
    median: 'Median',
    stddev: 'Standardabweichung',
    sum_once: 'Summe',
    measure: 'Kennzahl',
  },
  buckets: {
    '': 'Jeder Wert',
    day: 'Tag',
    week: 'Woche',
    month: 'Monat',
    quarter: 'Quartal',
    year: 'Jahr',
    age: 'Alter',
    ranges: 'Klassen',
    width: 'Klassen',
  },
  measures: 'Kennzahlen',
  related: 'Zugehörige Zeilen',
  allColumns: 'Alle Spalten',
  meaning: 'Bedeutung',
  rowMissing: 'Diese Zeile gibt es nicht, oder der Schlüssel darf sie nicht lesen.',
  back: 'Tabellen',
  failures: {
    title: 'Die Daten konnten nicht gelesen werden',
    noKey: 'Geben Sie oben einen API-Schlüssel ein, um seine Tabellen zu sehen.',
    key: 'Dieser API-Schlüssel gilt nicht: Er ist vielleicht abgelaufen oder widerrufen. Geben Sie oben einen anderen ein.',
    forbidden: 'Dieser API-Schlüssel enthält diese Daten nicht.',
    quota: (minutes) => `Die Anfragen dieser Stunde sind verbraucht. In ${minutes} Minuten geht es weiter.`,
    busy: 'Der Dienst ist ausgelastet, oder die Frage dauert zu lange. Versuchen Sie es noch einmal, oder filtern Sie enger.',
    offline: 'Der Dienst ist nicht erreichbar. Prüfen Sie die Verbindung.',
    missing: 'Diese Tabelle gibt es für den Schlüssel nicht.',
    other: 'Der Dienst lehnt die Anfrage ab:',
    retry: 'Noch einmal',
    noTables: 'Dieser API-Schlüssel hat keine Tabellen über REST.',
  },
  checks: (count) => (count === 1 ? '1 Prüfung verletzt' : `${count} Prüfungen verletzt`),
  firstGroups: (shown, all) => `Die ersten ${shown} von ${all} Gruppen.`,
  chartTexts: {
    across: 'Waagrecht',
    up: 'Senkrecht',
    split: 'Farben nach',
    as: 'Als',
    none: '(eine Farbe)',
    nothing: 'Diese Liste hat keine Zahlen.',
    download: 'Herunterladen:',
    kinds: { bar: 'Balkendiagramm', line: 'Liniendiagramm', stacked: 'Gestapelte Balken', grouped: 'Gruppierte Balken' },
    kindNames: { bar: 'Balken', line: 'Linie', stacked: 'gestapelt', grouped: 'gruppiert' },
    title: (y, x, series) => `${y} nach ${series ? `${x} und ${series}` : x}`,
    alternative: (kind, title, series, values) =>
      `${kind} ${title}: ${series > 1 ? `${series} Reihen mit ${values} Werten` : `${values} Werte`}; die Tabelle hat sie als Text.`,
  },
};

export const textsOf: Readonly<Record<LanguageCode, Texts>> = { en: english, de: german };
