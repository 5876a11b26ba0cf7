/** The audit log of the portal and the command line: search, time range, download. */
import type { FastifyInstance } from 'fastify';
import { type AuditEntry, countLog, exportLog, type LogFilter, readLog } from '../../access/audit.ts';
import { isCalendarDay, parseInstant } from '../../catalogue/instant.ts';
import { csvField, withoutFormula } from '../../csv.ts';
import { nothing, table, time } from '../pages/elements.ts';
import { type Html, html } from '../pages/html.ts';
import type { Attachment, PortalCall, PortalContext } from './context.ts';
import type { PageContent } from './layout.ts';
import { type Listing, pageLength, pager, readListing, searchField, sortHeading } from './listing.ts';
import { addPage } from './page.ts';

const path = '/portal/log';

interface LogRequest {
  readonly listing: Listing<'when'>;
  readonly filter: LogFilter;
  /** The values of the fields; `until` is an inclusive day. */
  readonly from: string;
  readonly until: string;
}

const dayMs = 86_400_000;

/** The beginning of a day in UTC; undefined for an invalid day. */
const dayIn = (text: string): Date | undefined => (isCalendarDay(text) ? parseInstant(text) : undefined);

const readRequest = (query: URLSearchParams): LogRequest => {
  const listing = readListing(path, query, ['when'], '-when');
  const [from, until] = ['from', 'until'].map((name) => query.get(name) ?? '') as [string, string];
  const last = dayIn(until);
  return { listing, from, until, filter: { search: listing.search, from: dayIn(from), until: last && new Date(last.getTime() + dayMs) } };
};

const filters = ({ listing, from, until }: LogRequest): Html => html`
<form class="filters">
${searchField(listing, 'Part of who, where, what or whom')}
<label>From <input type="date" name="from" value="${from}"></label>
<label>Until <input type="date" name="until" value="${until}"></label>
<button>Show</button>
<a class="button" href="${listing.address({}).replace(path, () => `${path}.csv`)}" download>As CSV</a>
</form>`;

const list = (entries: readonly AuditEntry[], listing: Listing<'when'>): Html => {
  const headings = [
    { label: 'What' },
    { label: 'Subject' },
    { label: 'Who' },
    { label: 'From' },
    sortHeading(listing, 'when', 'When'),
  ] as const;
  const rows = entries.map(({ at, action, subject, actor, address }) => [action, subject, actor, address ?? '–', time(at)]);
  return table(headings, rows, 'Actions');
};

const content = async ({ database: { control } }: PortalContext, { query }: PortalCall): Promise<PageContent> => {
  const request = readRequest(query);
  const { listing, filter } = request;
  const isNarrowed = listing.search !== '' || filter.from !== undefined || filter.until !== undefined || listing.page > 1;
  const total = await countLog(control, filter);
  const offset = (listing.page - 1) * pageLength;
  const rows = await readLog(control, filter, { limit: pageLength, offset, isOldestFirst: !listing.isDescending });
  const none = isNarrowed
    ? nothing('Nothing like that was done.', html`<a class="button" href="${path}">The whole log</a>`)
    : nothing('Nothing was done yet.');
  return {
    title: 'Log',
    section: 'log',
    body: html`
<h1>Log</h1>
<p class="lead">Every action here and on the command line. Entries can only be added.</p>
${filters(request)}
${rows.length > 0 ? list(rows, listing) : none}
${pager(listing, { rows, total })}`,
  };
};

async function* asCsv(entries: AsyncIterable<AuditEntry>): AsyncGenerator<string> {
  yield 'at,actor,address,action,subject\r\n';
  for await (const { at, actor, address, action, subject } of entries)
    yield `${[at.toISOString(), actor, address ?? '', action, subject].map((text) => csvField(withoutFormula(text))).join(',')}\r\n`;
}

const file = ({ database }: PortalContext, { query }: PortalCall): Attachment => ({
  name: 'estate-log.csv',
  type: 'text/csv; charset=utf-8',
  chunks: asCsv(exportLog(database.control, readRequest(query).filter)),
});

export const logPages = (scope: FastifyInstance, context: PortalContext): void => {
  addPage(scope, context, path, { get: (call) => content(context, call) });
  addPage(scope, context, `${path}.csv`, { get: (call) => file(context, call) });
};
