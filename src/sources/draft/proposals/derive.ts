/** Values that follow from others: what the service can compute is no question. Each is stated in the source file with its rule. */

import { type RawTableName, rawTables } from '../../../catalogue/raw/index.ts';
import { addDecimals, percentOfDecimal } from '../../columns/numbers.ts';
import type { ColumnRule } from '../../source-file.ts';
import { vatRates } from '../forms/contents.ts';
import { numbersIn } from '../forms/read-values.ts';
import { type Conventions, readingOf } from '../forms/settle.ts';
import type { ColumnProfile, ListProfile } from '../lists/profile.ts';
import { questionText, unitSteps } from '../question-texts.ts';
import { canHold, codesByWord, factsOfColumn, normalise } from '../words/fit.ts';
import { meaningsOf } from '../words/words.ts';
import { ownNumbers } from './keys.ts';
import { accountColumn, type ColumnProposal, contractColumn, given, missingOf, type TableProposal } from './proposal.ts';

/** What the export says as a whole. */
export interface Known {
  readonly currency: { readonly code: string; readonly evidence: string } | undefined;
  /** The first month of the fiscal year and the year, if the list states them. */
  readonly fiscal: { readonly month: number; readonly evidence: string } | undefined;
  /** Whether a list has accounts. Then only its numbers say which account is meant. */
  readonly hasAccounts: boolean;
}

/** A value that follows from others. Without a rule, the column is also this target. */
const derived = (target: string, profile: ColumnProfile, rule: ColumnRule | undefined, evidence: string): ColumnProposal => ({
  ...given(target, profile, rule, evidence),
  isDerived: true,
});

/** The numbers of a column, by row; undefined if the reading is a question, or a number cannot be read. */
const numbersOf = (table: RawTableName, column: ColumnProposal, list: ListProfile, conventions: Conventions) => {
  const { formats, question } = readingOf(table, column.target, column.profile, conventions);
  return question === undefined ? numbersIn(column.profile, list, formats) : undefined;
};

/** VAT from net and gross, gross from net and VAT, net from gross and VAT. The rate only if each row gives one that exists. */
const amounts = (proposal: TableProposal, list: ListProfile, conventions: Conventions): ColumnProposal[] => {
  const of = (target: string) => proposal.columns.find((column) => column.target === target && !column.rule);
  const [net, vat, gross] = [of('net_amount'), of('vat_amount'), of('gross_amount')];
  const found: ColumnProposal[] = [];
  const name = ({ profile }: ColumnProposal) => profile.name;
  const isMissing = (target: string) => proposal.missing.includes(target);
  const inCents = conventions.cents !== undefined && [net, vat, gross].every((one) => !one || one.profile.look === 'integer');
  const amount = (rule: ColumnRule): ColumnRule => (inCents ? { ...rule, apply: unitSteps('cents') } : rule);
  if (net && gross && !vat && isMissing('vat_amount'))
    found.push(derived('vat_amount', gross.profile, amount({ sum: [name(gross)], minus: [name(net)] }), 'the gross less the net amount'));
  if (net && vat && !gross && isMissing('gross_amount'))
    found.push(derived('gross_amount', net.profile, amount({ sum: [name(net), name(vat)] }), 'the net amount and the VAT'));
  if (gross && vat && !net && isMissing('net_amount'))
    found.push(derived('net_amount', gross.profile, amount({ sum: [name(gross)], minus: [name(vat)] }), 'the gross amount less the VAT'));
  if (net && isMissing('vat_rate') && (gross || vat)) {
    const [bases, ends] = [net, (vat ?? gross)!].map((column) => numbersOf(proposal.table, column, list, conventions));
    const isRate = (base: string | undefined, end: string | undefined): boolean => {
      if (base === undefined || end === undefined) return false;
      const tax = vat ? end : addDecimals([end, base.startsWith('-') ? base.slice(1) : `-${base}`]);
      if (Number(tax) === 0) return true;
      return Number(base) !== 0 && vatRates.has(Number(percentOfDecimal(tax, base)));
    };
    if (bases && ends && bases.length > 0 && bases.every((base, index) => isRate(base, ends[index])))
      found.push(
        derived(
          'vat_rate',
          net.profile,
          vat ? { sum: [name(vat)], percentOf: name(net) } : { sum: [name(gross!)], minus: [name(net)], percentOf: name(net) },
          'the VAT in per cent of the net amount',
        ),
      );
  }
  return found;
};

const residential = { apartment: 'residential' } as const;
const kinds: Readonly<Record<string, string>> = {
  ...residential,
  office: 'commercial',
  retail: 'commercial',
  restaurant: 'commercial',
  medical: 'commercial',
  workshop: 'commercial',
  parking_space: 'parking',
  garage: 'parking',
};

/** The kind of tenant from the use of the unit that the list has itself. A use that says nothing is refused by the load. */
export const tenantKind = (usage: ColumnProfile): ColumnProposal | undefined => {
  const byWord = codesByWord('usage_type');
  const codes = Object.fromEntries(
    usage.values.flatMap((value) => {
      const kind = kinds[byWord.get(normalise(value)) ?? ''];
      return kind === undefined ? [] : [[value, kind]];
    }),
  );
  return Object.keys(codes).length > 0 && Object.keys(codes).length === usage.values.length
    ? derived('tenant_type_key', usage, { from: usage.name, codes }, 'the kind of tenant follows from the use of the unit')
    : undefined;
};

/** A column of two codes, one for all rows with a company, and one for all others. */
const personCodes = ({ unassigned }: TableProposal, company: ColumnProfile, list: ListProfile): ColumnProposal | undefined => {
  const isLegal = list.textsOf(company.name).map((text) => text !== '' && !company.missing.includes(text));
  for (const column of unassigned.filter(({ values, filled, rows }) => values.length === 2 && filled === rows)) {
    const texts = list.textsOf(column.name);
    const legal = new Set(texts.filter((_text, row) => isLegal[row]));
    const natural = new Set(texts.filter((_text, row) => !isLegal[row]));
    const [code] = legal;
    if (legal.size !== 1 || natural.size !== 1 || natural.has(code!)) continue;
    const codes = { [code!]: 'legal', [[...natural][0]!]: 'natural' };
    return given('person_type_key', column, { from: column.name, codes }, `"${code}" stands in each row with a company, and in no other`);
  }
  return undefined;
};

/** A salutation says whether a person is a company. */
const personKind = (proposal: TableProposal, list: ListProfile): ColumnProposal | undefined => {
  const { columns } = proposal;
  const company = columns.find(({ target }) => target === 'company_name');
  const last = columns.find(({ target }) => target === 'last_name');
  const byCode = company && personCodes(proposal, company.profile, list);
  if (byCode) return byCode;
  if (company && last && company.profile.filled < company.profile.rows)
    return derived(
      'person_type_key',
      company.profile,
      { from: company.profile.name, codes: {}, unknownCodes: { code: 'legal' }, default: 'natural' },
      'a row with a company is legal',
    );
  const greeting = columns.find(({ target }) => target === 'salutation')?.profile;
  if (!greeting || greeting.filled < greeting.rows || greeting.values.length === 0) return undefined;
  const kind = (value: string) =>
    /^firma$/i.test(value) ? 'legal' : /^(?:herrn?|frau|mr|mrs|ms|miss|dhr|mevr?|mw)\.?$/i.test(value) ? 'natural' : undefined;
  const codes = Object.fromEntries(greeting.values.flatMap((value) => (kind(value) ? [[value, kind(value)!]] : [])));
  return Object.keys(codes).length === greeting.values.length
    ? derived('person_type_key', greeting, { from: greeting.name, codes }, 'the salutation says it')
    : undefined;
};

/** A place to park has no area, as the dictionary says. If no other unit lacks one, it is 0 there. */
const withParkingArea = (proposal: TableProposal, list: ListProfile): readonly ColumnProposal[] => {
  const area = proposal.columns.find(({ target }) => target === 'area_sqm');
  const usage = proposal.columns.find(({ target }) => target === 'usage_type_key');
  if (proposal.table !== 'floor_area' || !area || !usage || area.profile.filled === area.profile.rows) return proposal.columns;
  const uses = list.textsOf(usage.profile.name);
  const lacking = list
    .textsOf(area.profile.name)
    .flatMap((text, index) => (text === '' || area.profile.missing.includes(text) ? [uses[index]!] : []));
  if (!lacking.every((use) => ['parking_space', 'garage'].includes(usage.codes?.get(use) ?? use))) return proposal.columns;
  const rule: ColumnRule = { from: area.profile.name, default: 0 };
  return proposal.columns.map((column) =>
    column === area ? { ...area, rule, evidence: `${area.evidence}; a place to park has no area` } : column,
  );
};

const advance = ({ columns }: TableProposal): ColumnProposal | undefined => {
  const kind = columns.find(({ target, rule }) => target === 'debit_type_key' && !rule);
  if (!kind || kind.unknown.length > 0 || kind.profile.values.length === 0) return undefined;
  const codes = Object.fromEntries(
    kind.profile.values.map((value) => [value, String((kind.codes?.get(value) ?? value).endsWith('_advance'))]),
  );
  return derived('is_advance_payment', kind.profile, { from: kind.profile.name, codes }, 'it follows from the kind of charge');
};

/** A proposal with the required values that follow from others. */
export const withDerived = (
  proposal: TableProposal,
  list: ListProfile,
  conventions: Conventions,
  { currency, fiscal, hasAccounts }: Known,
): TableProposal => {
  const isMissing = (target: string) => proposal.missing.includes(target);
  const of = (target: string) => proposal.columns.find((column) => column.target === target);
  const [first] = list.columns;
  const found: ColumnProposal[] = [...amounts(proposal, list, conventions)];
  const add = (column: ColumnProposal | undefined) => {
    if (column && isMissing(column.target)) found.push(column);
  };
  if (proposal.table === 'floor_area') {
    const unit = of('unit_number') ?? of('floor_area_id');
    for (const target of ['floor_area_id', 'unit_number'])
      if (unit && !of(target) && isMissing(target)) found.push(derived(target, unit.profile, undefined, 'the number of the unit'));
  }
  const contract = contractColumn(proposal.columns);
  if (proposal.table === 'tenancy_hdr' && contract) {
    add({ ...accountColumn(contract.profile), isDerived: true });
    add(derived('contract_number', contract.profile, { from: contract.profile.name }, 'each tenancy has an account'));
  }
  const creditor = of('creditor_no');
  if (proposal.table === 'creditor_hdr' && creditor && !creditor.rule && !hasAccounts)
    add({ ...accountColumn(creditor.profile), evidence: 'each creditor has an account', isDerived: true });
  if (proposal.table === 'person') add(personKind(proposal, list));
  const number = ownNumbers[proposal.table];
  const [key] = proposal.key;
  const named = list.columns.find(({ name }) => name === key);
  if (number && named && proposal.key.length === 1 && !of(number) && isNumberOf(proposal, named))
    found.push(derived(number, named, undefined, 'the key is the number by which people call it'));
  add(advance(proposal));
  if (first && currency) add(derived('currency', first, { constant: currency.code }, currency.evidence));
  const day = of('booking_date') ?? of('document_date');
  if (day && fiscal) {
    add(derived('fiscal_year', day.profile, { from: '$fiscalYear' }, 'the file states it'));
    add(derived('fiscal_period', day.profile, { from: day.profile.name, apply: [{ period: fiscal.month }] }, fiscal.evidence));
  }
  const net = of('net_amount');
  const isOpen =
    net &&
    !net.rule &&
    !of('gross_amount') &&
    !of('vat_amount') &&
    !of('vat_rate') &&
    !meaningsOf(net.profile.name).some(({ concepts }) => concepts.has('net'));
  const columns = [...withParkingArea(proposal, list), ...found];
  const all = Object.keys((rawTables[proposal.table] as { columns: object }).columns);
  const targets = new Set(columns.map(({ target }) => target));
  return {
    ...proposal,
    columns: columns.sort((a, b) => all.indexOf(a.target) - all.indexOf(b.target)).map((column) => withReference(proposal.table, column)),
    missing: missingOf(proposal.table, targets),
    ...(isOpen && {
      question: [...(proposal.question ? [proposal.question] : []), questionText('netOrGross', { column: net.profile.name })].join('. '),
    }),
  };
};

/** Whether the values of the key can be the number of the rows. The key is no other fact, but other tables can be referred to by it. */
const isNumberOf = ({ table, columns }: TableProposal, key: ColumnProfile): boolean =>
  columns.every(({ profile, references }) => profile !== key || references !== undefined) && canHold(table, ownNumbers[table]!, key);

/** A rule that only names a column is written with what the column refers to. */
const withReference = (table: RawTableName, { rule, ...column }: ColumnProposal): ColumnProposal =>
  rule === undefined
    ? { ...column, references: column.references ?? factsOfColumn(table, column.target).references?.table }
    : { ...column, rule };

const symbols: readonly (readonly [RegExp, string])[] = [
  [/€|\bEUR\b|\bEuro\b/i, 'EUR'],
  [/\bCHF\b|\bSFr\b/i, 'CHF'],
  [/£|\bGBP\b/, 'GBP'],
  [/\bUSD\b|US\$|\$/, 'USD'],
];

/** Francs, or the abbreviation of another word, such as a term of notice. So the name of a column says it of decimal numbers only. */
const francs = /(?:^|[\s(])Fr\.\)?$/i;

/** The currency that the amounts of the export or the names of its columns have; undefined if there are several or none. */
export const currencyOf = (lists: readonly { readonly name: string; readonly profile: ListProfile }[]): Known['currency'] => {
  const found = new Map<string, string>();
  for (const { name: list, profile } of lists)
    for (const { name, numbers, contents, values, look } of profile.columns) {
      const units = [...(numbers?.units ?? [])];
      const areFrancs = [...units, ...(look === 'number' ? [name] : [])].some((text) => francs.test(text));
      for (const [pattern, code] of symbols)
        if (
          [...units, name].some((text) => pattern.test(text)) ||
          (code === 'CHF' && areFrancs) ||
          (contents.has('currency') && values.includes(code))
        )
          found.set(code, `the column ${name} of ${list} is in ${code}`);
    }
  const [only] = found;
  return found.size === 1 && only ? { code: only[0], evidence: only[1] } : undefined;
};
