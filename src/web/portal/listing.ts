/** Paged lists: the parameters of the address, sortable headings, and links to other pages. Only the rows of the page are read. */
import { formatCount } from '../pages/format.ts';
import { type Html, html } from '../pages/html.ts';

export const pageLength = 50;

/** The parameters of a list, from its address. */
export interface Listing<Sort extends string> {
  /** The search text; empty for all entries. */
  readonly search: string;
  readonly sort: Sort;
  readonly isDescending: boolean;
  /** Whether this is the default order. */
  readonly isDefault: boolean;
  /** Counted from 1. */
  readonly page: number;
  /** The list's address with changed parameters. */
  address(changes: Readonly<Record<string, string>>): string;
}

/** One page of a list, and the number of all entries. */
export interface ListingPage<Row> {
  readonly rows: readonly Row[];
  readonly total: number;
}

/** A complete key is reduced to its public id, because the secret must not stay in an address. */
const searchIn = (query: URLSearchParams): string => {
  const text = (query.get('q') ?? '').replaceAll('\0', '').trim().slice(0, 200);
  return /^est_([a-z0-9]+)(?:_|$)/.exec(text)?.[1] ?? text;
};

/** Parses an address. `byDefault` is the default order; `-` before a name reverses it. */
export const readListing = <Sort extends string>(
  path: string,
  query: URLSearchParams,
  sorts: readonly Sort[],
  byDefault: NoInfer<Sort | `-${Sort}`>,
): Listing<Sort> => {
  const requested = query.get('sort') ?? '';
  const order = sorts.some((known) => requested === known || requested === `-${known}`) ? requested : byDefault;
  const search = searchIn(query);
  const page = /^[1-9]\d{0,6}$/.test(query.get('page') ?? '') ? Number(query.get('page')) : 1;
  return {
    search,
    sort: order.replace('-', '') as Sort,
    isDescending: order.startsWith('-'),
    isDefault: order === byDefault,
    page,
    address: (changes) => {
      const kept = Object.entries({ ...Object.fromEntries(query), q: search, page: '', notice: '', ...changes });
      const parameters = new URLSearchParams(kept.filter(([, value]) => value !== '')).toString();
      return parameters === '' ? path : `${path}?${parameters}`;
    },
  };
};

/** A heading that sorts by its column, or reverses the current order. */
export const sortHeading = <Sort extends string>({ sort, isDescending, address }: Listing<Sort>, name: Sort, label: string) => {
  const isPresent = name === sort;
  return {
    label,
    content: html`<a href="${address({ sort: isPresent && !isDescending ? `-${name}` : name })}">${label}${
      isPresent && html`<span aria-hidden="true"> ${isDescending ? '↓' : '↑'}</span>`
    }</a>`,
    ...(isPresent && { order: isDescending ? ('descending' as const) : ('ascending' as const) }),
  };
};

/** The field of a search form, which keeps the order of the list. */
export const searchField = <Sort extends string>({ search, sort, isDescending, isDefault }: Listing<Sort>, hint: string): Html => html`
<label>Search <input type="search" name="q" value="${search}" maxlength="200" pattern="(?!est_\\w+_).*" title="${hint}; never a whole key"></label>
${!isDefault && html`<input type="hidden" name="sort" value="${isDescending ? '-' : ''}${sort}">`}`;

/** Links to the other pages; nothing if there is only one. */
export const pager = (listing: Listing<string>, { total, rows }: ListingPage<unknown>): Html | undefined => {
  const last = Math.max(1, Math.ceil(total / pageLength));
  if (last === 1 && listing.page === 1) return undefined;
  const { page, address } = listing;
  const first = (page - 1) * pageLength + 1;
  const to = (number: number, label: string, rel: string) =>
    html`<a class="button" href="${address({ page: number > 1 ? String(number) : '' })}" rel="${rel}">${label}</a>`;
  return html`<nav class="pager" aria-label="Pages">
${page > 1 && html`${page > 2 && to(1, 'First', 'first')}${to(Math.min(page - 1, last), 'Previous', 'prev')}`}
<span>${rows.length > 0 ? `${formatCount(first)}–${formatCount(first + rows.length - 1)} of ` : 'None of '}${formatCount(total)}</span>
${page < last && html`${to(page + 1, 'Next', 'next')}${page < last - 1 && to(last, 'Last', 'last')}`}
</nav>`;
};
