/** Words with the same meaning, German and English, that the texts do not have side by side. A query for one finds the others. */
import { glossary } from '../../../catalogue/texts/glossary.ts';
import { normalWord, splitWords } from './words.ts';

const groups = [
  'tenant mieter mietvertrag lease tenancy',
  'creditor kreditor lieferant supplier vendor contractor handwerker',
  'debtor debitor',
  'owner eigentümer landlord',
  'employee mitarbeiter staff',
  'property objekt liegenschaft gebäude building immobilie',
  'unit einheit wohnung apartment flat',
  'order auftrag aufträge',
  'offer angebot quote',
  'notification meldung schaden ticket',
  'invoice rechnung',
  'booking buchung buchungen journal posting',
  'account konto ledger',
  'budget wirtschaftsplan planung',
  'depreciation abschreibung afa',
  'asset anlagegut anlage',
  'vacancy leerstand',
  'arrears rückstand rückstände overdue',
  'dunning mahnung mahnstufe',
  'rent miete',
  'termination terminated notice kündigung auszug',
  'warranty gewährleistung',
  'deposit kaution',
  'maintenance wartung instandhaltung',
  'contract vertrag verträge',
  'project projekt',
  'delete löschen entfernen remove',
  'write schreiben ändern edit insert',
  'sort sortieren sortierung reihenfolge',
  'column spalte feld',
  'table tabelle',
  'filter filtern',
  'total summe sum',
  'average durchschnitt mittelwert',
  'value wert',
  'nebenkosten betriebskosten umlage',
  'mieterhöhung mietanpassung indexmiete',
  'container docker image compose kubernetes',
  'encoding utf charset zeichensatz kodierung umlaut umlaute',
  'privacy datenschutz dsgvo gdpr personal personenbezogen',
  'encryption verschlüsselung tls https ssl',
  'password passwort kennwort',
  'restore wiederherstellen wiederherstellung',
  'log protokoll audit',
  'monitoring überwachung metrics metriken prometheus',
  'memory speicher ram',
  'upgrade update aktualisierung aktualisieren',
  'installation installieren install betrieb deployment',
  'permission berechtigung rechte access zugriff',
  'setting einstellung configuration konfiguration',
  'load laden import einlesen',
  'delivery lieferung',
  'speed geschwindigkeit performance schnell langsam slow',
];

/** The terms of the glossary that are one word in both languages. */
const terms = glossary.flatMap(({ german, english }) => {
  const words = [...german.replaceAll(/\(.*?\)/g, '').split(','), ...english.split(',')].map((word) => word.trim());
  const single = words.filter((word) => splitWords(word).length === 1);
  return single.length > 1 ? [single.join(' ')] : [];
});

const byWord = new Map<string, Set<string>>();
for (const group of [...groups, ...terms]) {
  const words = group.split(' ').map(normalWord);
  for (const word of words) byWord.set(word, new Set([...(byWord.get(word) ?? []), ...words.filter((other) => other !== word)]));
}

/** Other words for a normal word. */
export const synonymsOf = (word: string): readonly string[] => [...(byWord.get(word) ?? [])];
