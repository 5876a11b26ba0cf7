/** The words of the operator view in English and German. */
import type { LanguageCode } from '../../described.ts';

const english = {
  view: (customer: string) => `Operator view of ${customer}, read-only.`,
  about: 'It shows what a key of the highest tier of this customer reads. The log names who opened it, and which tables were read.',
  customer: 'Back to the customer',
  needsKey: 'Downloads, REST addresses, GraphQL documents, files and saved questions need a key of the customer.',
  createKey: 'Create a key',
  signIn: 'Sign in again',
  failures: {
    signedOut: 'Your session in the portal has ended.',
    forbidden: 'The customer is suspended, so its rows cannot be viewed.',
    missing: 'This customer has no such table.',
    noTables: 'This customer has no tables yet.',
  },
  rowMissing: 'There is no such row.',
};

export type OperatorTexts = typeof english;

const german: OperatorTexts = {
  view: (customer) => `Ansicht des Betreibers auf ${customer}, nur lesend.`,
  about:
    'Sie zeigt, was ein Schlüssel der höchsten Stufe dieses Kunden liest. Das Protokoll nennt, wer sie geöffnet hat und welche Tabellen gelesen wurden.',
  customer: 'Zurück zum Kunden',
  needsKey: 'Downloads, REST-Adressen, GraphQL-Dokumente, Dateien und gespeicherte Fragen brauchen einen Schlüssel des Kunden.',
  createKey: 'Schlüssel anlegen',
  signIn: 'Neu anmelden',
  failures: {
    signedOut: 'Ihre Sitzung im Portal ist beendet.',
    forbidden: 'Der Kunde ist gesperrt, deshalb sind seine Zeilen nicht zu sehen.',
    missing: 'Diese Tabelle hat der Kunde nicht.',
    noTables: 'Dieser Kunde hat noch keine Tabellen.',
  },
  rowMissing: 'Diese Zeile gibt es nicht.',
};

export const operatorTextsOf: Readonly<Record<LanguageCode, OperatorTexts>> = { en: english, de: german };
