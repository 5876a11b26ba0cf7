/** What the values of a column are by their content, whatever the column is called: an IBAN, a postal code, a street, a rate of VAT. */

import type { RawColumnName } from '../../../catalogue/raw/index.ts';

export type Content =
  | 'iban'
  | 'bic'
  | 'vatId'
  | 'email'
  | 'phone'
  | 'website'
  | 'postalCode'
  | 'street'
  | 'address'
  | 'houseNumber'
  | 'year'
  | 'vatRate'
  | 'currency'
  | 'country'
  | 'salutation'
  | 'companyName'
  | 'personName'
  /** Each value is the name of a person or of a company. */
  | 'partyName'
  | 'floor'
  | 'title';

/** Each digit group modulo 97, as ISO 7064 says. */
const hasCheckDigits = (iban: string): boolean => {
  const moved = `${iban.slice(4)}${iban.slice(0, 4)}`;
  let rest = 0;
  for (const sign of moved) {
    const digits = /\d/.test(sign) ? sign : String(sign.charCodeAt(0) - 55);
    for (const digit of digits) rest = (rest * 10 + Number(digit)) % 97;
  }
  return rest === 1;
};

const isIban = (text: string): boolean => {
  const plain = text.replaceAll(/\s/g, '').toUpperCase();
  return /^[A-Z]{2}\d{2}[A-Z\d]{11,30}$/.test(plain) && hasCheckDigits(plain);
};

const legalForm =
  /(?:^|[\s.,(])(?:gmbh|mbh|gesmbh|ges\.\s?m\.\s?b\.\s?h\.|e\.\s?u\.|ag|kg|ohg|gbr|ug|e\.?\s?v\.?|e\.?\s?k\.?|ek|eg|se|kgaa|sarl|sàrl|sa|ltd|limited|llc|inc|corp|co|p\.c\.|plc|llp|b\.?v\.?|n\.?v\.?|v\.?o\.?f\.?|stichting|verein|genossenschaft|stiftung)(?:[\s.,)]|$)/i;
const streetWord =
  /(?:str(?:aße|asse|\.)?|weg|platz|allee|gasse|ring|damm|ufer|chaussee|steig|promenade|gracht|straat|laan|plein|kade|dijk|singel|street|road|avenue|lane|drive|court|blvd|boulevard|rue|place| st\.?| rd\.?| ave\.?| dr\.?| ln\.?| ct\.?)\.?(?=$|[\s,]|\d)/i;

/** The rates of VAT in per cent, now and before, in the countries of the exports. */
export const vatRates: ReadonlySet<number> = new Set([0, 2.5, 2.6, 3.7, 3.8, 5, 5.5, 6, 7, 7.7, 8, 8.1, 9, 10, 13, 16, 19, 20, 21]);

const isPersonName = (text: string): boolean =>
  /^\p{Lu}[\p{L}'’-]+(?:,? (?:\p{Lu}[\p{L}'’.-]*|von|van|de|der|den|zu|und|&))*,? \p{Lu}[\p{L}'’.-]*$/u.test(text) &&
  !streetWord.test(text);

const tests: readonly (readonly [content: Content, holds: (text: string) => boolean, share: number])[] = [
  ['iban', isIban, 0.9],
  [
    'vatId',
    (text) =>
      /^(?:ATU\d{8}|DE\s?\d{9}|CHE[-\s]?\d{3}\.?\d{3}\.?\d{3}(?:\s?(?:MWST|TVA|IVA))?|NL\d{9}B\d{2}|GB\d{9}|(?:FR|BE|IT|LU|PL|DK)\s?[A-Z\d]{8,12})$/.test(
        text,
      ),
    0.9,
  ],
  ['bic', (text) => /^[A-Z]{4}(?:DE|AT|CH|NL|GB|US|FR|BE|LU|LI|IT|ES|IE|DK|PL)[A-Z\d]{2}(?:[A-Z\d]{3})?$/.test(text), 0.9],
  ['email', (text) => /^[^\s@]+@[^\s@]+\.[a-z]{2,}$/i.test(text), 0.9],
  ['website', (text) => /^(?:https?:\/\/|www\.)\S+$/i.test(text), 0.9],
  ['currency', (text) => /^(?:EUR|CHF|USD|GBP|DKK|SEK|NOK|PLN|CZK)$/.test(text), 1],
  [
    'salutation',
    (text) => /^(?:herrn?|frau|firma|eheleute|familie|mr|mrs|ms|miss|dhr|mevr?|mw|dhr\.? en mevr|divers|monsieur|madame)\.?$/i.test(text),
    0.95,
  ],
  [
    'title',
    (text) => /^(?:(?:dr|prof|mag|dipl|ing|di|ddr|bsc|msc|ba|ma|drs|ir|mba)\b[\s.-]*(?:ing|med|jur|phil|h\.?c)?[\s.-]*)+$/i.test(text),
    0.95,
  ],
  [
    'country',
    (text) =>
      /^(?:DE|AT|CH|NL|GB|UK|US|USA|FR|BE|LU|LI|Deutschland|Germany|Österreich|Austria|Schweiz|Switzerland|Nederland|Netherlands|Niederlande)$/.test(
        text,
      ),
    1,
  ],
  [
    'postalCode',
    (text) =>
      /^(?:D-|A-|CH-|L-)?\d{5}$|^(?:A-|CH-|L-)?[1-9]\d{3}$|^[1-9]\d{3} ?[A-Z]{2}$|^[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}$|^\d{5}-\d{4}$/.test(
        text,
      ),
    1,
  ],
  ['year', (text) => /^(?:1[789]\d\d|20[0-4]\d)$/.test(text), 1],
  ['vatRate', (text) => /^\d{1,2}(?:[.,]\d{1,2})?\s?%?$/.test(text) && vatRates.has(Number.parseFloat(text.replace(',', '.'))), 1],
  ['phone', (text) => /^\+?[\d\s()/.-]{6,20}$/.test(text) && text.replaceAll(/\D/g, '').length >= 6 && /^(?:\+|0|\(\d)/.test(text), 0.9],
  [
    'floor',
    (text) =>
      /^(?:(?:\d{1,2}\.?\s?)?(?:o\.?g|u\.?g|stock|etage|floor|verdieping|geschoss)\.?|e\.?g\.?|d\.?g\.?|k\.?g\.?|souterrain|erdgeschoss|dachgeschoss|keller|begane grond|ground|basement|parterre|hochparterre|bg|gf|hp|\d{1,2}\. ?(?:og|stock|etage)?(?: (?:links|rechts|mitte|li|re|mi))?|\d(?:st|nd|rd|th)(?: floor)?)(?: ?(?:links|rechts|mitte|li|re|mi|hinten|vorne)\.?)?$/i.test(
        text,
      ),
    0.9,
  ],
  [
    'address',
    (text) =>
      /\d/.test(text) &&
      /,/.test(text) &&
      /\b(?:\d{4,5}|[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}|[A-Z]{2} \d{5})\b/.test(text) &&
      streetWord.test(text),
    0.7,
  ],
  ['street', (text) => streetWord.test(text) && !/\b\d{5}\b/.test(text), 0.6],
  ['houseNumber', (text) => /^\d{1,4}\s?[a-z]?(?:\s?[-/+]\s?\d{1,4}\s?[a-z]?)?$/i.test(text), 1],
  ['companyName', (text) => legalForm.test(text), 0.6],
  ['personName', isPersonName, 0.7],
  ['partyName', (text) => legalForm.test(text) || isPersonName(text), 0.9],
];

/** The contents that the values have, the most telling first. `texts` are the different values. */
export const contentsOf = (texts: readonly string[]): ReadonlySet<Content> => {
  if (texts.length === 0) return new Set();
  const some = texts.slice(0, 500);
  return new Set(tests.flatMap(([content, holds, share]) => (some.filter(holds).length >= share * some.length ? [content] : [])));
};

/** Whether some of the values are names of companies. */
export const hasCompanies = (texts: readonly string[]): boolean => texts.some((text) => legalForm.test(text));

/** Contents that tell what a column is without its name. */
const telling: ReadonlySet<Content> = new Set(['iban', 'bic', 'vatId', 'email', 'website', 'salutation']);
export const isTelling = (content: Content): boolean => telling.has(content);

interface WantedContent {
  readonly content: Content;
  /** Whether values without it cannot be the target. */
  readonly only: boolean;
}

const wanted: Readonly<Partial<Record<RawColumnName, WantedContent>>> = {
  iban: { content: 'iban', only: true },
  bic: { content: 'bic', only: true },
  vat_id: { content: 'vatId', only: true },
  email: { content: 'email', only: true },
  contact_email: { content: 'email', only: true },
  website: { content: 'website', only: false },
  phone: { content: 'phone', only: false },
  mobile: { content: 'phone', only: false },
  contact_phone: { content: 'phone', only: false },
  postal_code: { content: 'postalCode', only: true },
  street: { content: 'street', only: false },
  house_no: { content: 'houseNumber', only: true },
  construction_year: { content: 'year', only: true },
  refurbishment_year: { content: 'year', only: true },
  year_built: { content: 'year', only: true },
  fiscal_year: { content: 'year', only: true },
  base_year: { content: 'year', only: true },
  vat_rate: { content: 'vatRate', only: true },
  currency: { content: 'currency', only: true },
  country_code: { content: 'country', only: false },
  salutation: { content: 'salutation', only: false },
  title: { content: 'title', only: true },
  company_name: { content: 'companyName', only: false },
  floor: { content: 'floor', only: false },
};

/** The content that the values of a target have. */
export const contentOfTarget = (target: string): WantedContent | undefined => wanted[target as RawColumnName];
