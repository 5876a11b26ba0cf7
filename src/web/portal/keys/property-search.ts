/**
 * The search of properties in the form for a data scope. Each button sends the whole form and shows it again, so it works without scripts.
 * Only the first matches are on the page, whatever their number.
 */
import { type RawBuilder, sql } from 'kysely';
import { maxListed } from '../../../access/scope.ts';
import { properties } from '../../../catalogue/tables/property.ts';
import type { Database } from '../../../database/connections/connection.ts';
import { schemaOf } from '../../../database/control/customers.ts';
import { qualify } from '../../../database/identifier.ts';
import { pill, select } from '../../pages/elements.ts';
import { type Html, html } from '../../pages/html.ts';
import type { PortalCall } from '../context.ts';
import { Refusal } from '../failures.ts';
import { forField } from '../form.ts';
import type { Wording } from '../texts/wording.ts';
import { idsIn, inRanges } from './id-ranges.ts';

/** The maximum number of matches on the page. */
const maxShown = 25;

/** Above this number, a text field is easier than a list. */
const maxCompanies = 200;

/** What a button of the form does. `enter` is the default button of the form. */
const steps = ['search', 'add', 'add-all', 'enter'] as const;
type Step = (typeof steps)[number];

interface Property {
  readonly property_id: number;
  readonly property_name: string;
  readonly company_number: string | null;
  readonly address: string | null;
}

/** The search below the field of property ids. */
export interface PropertySearch {
  readonly text: string;
  readonly company: string;
  /** The companies of the customer; undefined if there are too many for a list. */
  readonly companies: readonly string[] | undefined;
  /** The first matches and the number of all; absent before a search. */
  readonly found?: { readonly rows: readonly Property[]; readonly total: number };
}

/** The customer's own data is read, not that of a key. */
interface Place {
  readonly database: Database;
  readonly customer: { readonly id: number } | undefined;
}

const wordsOf = (form: URLSearchParams) => ({
  text: (form.get('find') ?? '').trim().slice(0, 200),
  company: (form.get('company') ?? '').trim().slice(0, 100),
});

/** What the form asks for; undefined if it is sent to issue a key. Enter in a field of the search searches, elsewhere it issues the key. */
export const stepIn = (form: URLSearchParams): Exclude<Step, 'enter'> | undefined => {
  const step = steps.find((each) => each === form.get('step'));
  if (step !== 'enter') return step;
  const { text, company } = wordsOf(form);
  return text !== '' || company !== '' ? 'search' : undefined;
};

/** The customer's properties; undefined without a customer, or while its tables are being removed. */
const tableOf = async ({ database, customer }: Place) => {
  if (!customer) return undefined;
  const schema = await schemaOf(database, customer.id);
  const { rows } = await sql<{ exists: boolean }>`select to_regclass(${qualify(schema, properties.name)}) is not null as exists`.execute(
    database.control,
  );
  return rows[0]?.exists ? sql`${sql.id(schema, properties.name)} as p` : undefined;
};

/** Each word is in the name, in the address, or at the start of the id. */
const matches = ({ text, company }: Pick<PropertySearch, 'text' | 'company'>): RawBuilder<unknown> => {
  const words = text.split(/\s+/).filter((word) => word !== '');
  const parts = words.map((word) => {
    const escaped = word.replaceAll(/[\\%_]/g, '\\$&');
    return sql`(p.property_id::text like ${`${escaped}%`} or concat_ws(' ', p.property_name, p.short_name, p.entrance, p.address) ilike ${`%${escaped}%`})`;
  });
  return sql.join([...(company === '' ? [] : [sql`p.company_number = ${company}`]), ...parts, sql`true`], sql` and `);
};

/** The search that the form asks for. */
export const searchProperties = async (place: Place, form: URLSearchParams): Promise<PropertySearch> => {
  const words = wordsOf(form);
  const table = await tableOf(place);
  const isAsked = stepIn(form) !== undefined;
  if (!table) return { ...words, companies: [], ...(isAsked && { found: { rows: [], total: 0 } }) };
  const { control } = place.database;
  const { rows: listed } = await sql<{ company_number: string }>`select distinct p.company_number from ${table}
    where p.company_number is not null order by p.company_number limit ${maxCompanies + 1}`.execute(control);
  const companies = listed.length > maxCompanies ? undefined : listed.map(({ company_number }) => company_number);
  if (!isAsked) return { ...words, companies };
  const { rows } = await sql<Property & { total: number }>`
    select p.property_id, p.property_name, p.company_number, p.address, (count(*) over ())::integer as total from ${table}
    where ${matches(words)} order by p.property_id limit ${maxShown}`.execute(control);
  return { ...words, companies, found: { rows, total: rows[0]?.total ?? 0 } };
};

/** The checked properties. */
const picked = (form: URLSearchParams): readonly string[] => form.getAll('pick').filter((id) => /^\d{1,10}$/.test(id));

/** The form with the chosen properties in its field of ids. Its data are limited, because nobody chooses properties for all data. */
export const withChosen = async (place: Place, { form, wording }: Pick<PortalCall, 'form' | 'wording'>): Promise<URLSearchParams> => {
  const step = stepIn(form);
  const after = new URLSearchParams(form);
  if (step === undefined && picked(form).length === 0) return after;
  if (step !== undefined) after.set('data', 'limited');
  if (step === 'search') return after;
  const more = step === 'add-all' ? await allMatches(place, form) : picked(form).map(Number);
  after.set(
    'ids',
    await forField('ids', () => {
      const ids = new Set([...idsIn(form.get('ids')), ...more]);
      if (ids.size > maxListed) throw tooMany(wording);
      return inRanges([...ids]);
    }),
  );
  after.delete('pick');
  return after;
};

const tooMany = ({ keys: { search }, count }: Wording) => new Refusal(search.tooMany(count(maxListed)));

const allMatches = async (place: Place, form: URLSearchParams): Promise<readonly number[]> => {
  const table = await tableOf(place);
  if (!table) return [];
  const { rows } = await sql<{ property_id: number }>`select p.property_id from ${table} where ${matches(wordsOf(form))}
    order by p.property_id limit ${maxListed + 1}`.execute(place.database.control);
  return rows.map(({ property_id }) => property_id);
};

const stepButton = (step: Step, label: string): Html => html`<button name="step" value="${step}" formnovalidate>${label}</button>`;

const companyChoice = ({ companies, company }: PropertySearch, { keys: { search: t } }: Wording): Html =>
  companies
    ? select('company', [['', t.allCompanies], ...companies.map((each) => [each, t.ofCompany(each)] as const)], company)
    : html`<input name="company" value="${company}" placeholder="${t.allCompanies}" maxlength="100">`;

const results = (
  { rows, total }: NonNullable<PropertySearch['found']>,
  chosen: ReadonlySet<unknown>,
  { keys: { search: t }, count }: Wording,
): Html => {
  if (total === 0) return html`<p class="notice warn" role="status">${t.none}</p>`;
  return html`<fieldset class="field"><legend class="label">${t.found(count(total))}${total > rows.length && t.first(count(rows.length))}</legend>
${rows.map(({ property_id, property_name, company_number, address }) => {
  const name = html`${property_id} ${property_name}${address && `, ${address}`}${company_number && t.inCompany(company_number)}`;
  return chosen.has(property_id)
    ? html`<span class="check">${name} ${pill(t.chosen, 'good')}</span>`
    : html`<label class="check"><input type="checkbox" name="pick" value="${property_id}"> ${name}</label>`;
})}</fieldset>
<div class="actions">${stepButton('add', t.add)}${stepButton('add-all', total === 1 ? t.addOne : t.addAll(count(total)))}</div>`;
};

/** The fields of the search; `ids` is the text of the field of ids. */
export const searchFields = (search: PropertySearch, ids: string, wording: Wording): Html => {
  const { text, found } = search;
  const { search: t } = wording.keys;
  return html`<fieldset class="field" id="properties"><legend class="label">${t.title}</legend>
<div class="fields">
<label class="lookup">${t.words} <input type="search" name="find" value="${text}" maxlength="200"${found && html` autofocus`}></label>
<label class="lookup">${t.company} ${companyChoice(search, wording)}</label>
</div>
<div class="actions">${stepButton('search', t.search)}</div>
${found && results(found, chosenIn(ids), wording)}</fieldset>`;
};

/** The ids of a field whose text may be invalid. */
const chosenIn = (ids: string): ReadonlySet<unknown> => {
  try {
    return new Set(idsIn(ids));
  } catch {
    return new Set();
  }
};

/** The default button of the form, which Enter presses. It is the first one, and nobody sees it. A search needs no name of the key. */
export const enterButton = html`<button name="step" value="enter" formnovalidate class="unseen" tabindex="-1" aria-hidden="true">Continue</button>`;
