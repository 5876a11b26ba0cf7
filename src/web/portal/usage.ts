/** The usage of keys: a chart of one measure over a period, and sums by key. */
import type { FastifyInstance } from 'fastify';
import { hourMs, type UsageMeasure, usageMeasures } from '../../access/usage.ts';
import { dayMs, readSeries } from '../../access/usage-report.ts';
import { nothing, table } from '../pages/elements.ts';
import { type Html, html } from '../pages/html.ts';
import { formatMeasure, measureLabels, usageChart } from './chart.ts';
import type { PortalCall, PortalContext } from './context.ts';
import { readUsedKeys } from './keys/key-list.ts';
import { keyLink } from './keys/keys.ts';
import type { PageContent } from './layout.ts';
import { type Listing, pager, readListing } from './listing.ts';
import { addPage } from './page.ts';

const spans = {
  '24h': { label: '24 hours', stepMs: hourMs, count: 24 },
  '7d': { label: '7 days', stepMs: hourMs, count: 7 * 24 },
  '30d': { label: '30 days', stepMs: dayMs, count: 30 },
} as const;
type Span = keyof typeof spans;

/** Links, one of which is the current choice. */
const choice = (label: string, options: readonly (readonly [path: string, label: string, isChosen: boolean])[]): Html =>
  html`<nav class="choice" aria-label="${label}">${options.map(
    ([path, text, isChosen]) => html`<a class="option" href="${path}"${isChosen && html` aria-current="true"`}>${text}</a>`,
  )}</nav>`;

const headings = [
  { label: 'Key' },
  { label: 'Customer' },
  ...usageMeasures.map((measure) => ({ label: measureLabels[measure], isNumber: true as const })),
];

const byKey = ({ rows, total }: Awaited<ReturnType<typeof readUsedKeys>>, listing: Listing<UsageMeasure>): Html => {
  if (rows.length === 0) return nothing('No key was used in this time.');
  const cells = rows.map((used) => [
    keyLink(used),
    html`<a href="/portal/customers/${used.customer}">${used.customer}</a>`,
    ...usageMeasures.map((name) => formatMeasure(name, used[name])),
  ]);
  return html`${table(headings, cells, 'Usage by key')}${pager(listing, { rows, total })}`;
};

const content = async (context: PortalContext, { query }: PortalCall): Promise<PageContent> => {
  const span = (Object.keys(spans) as Span[]).find((name) => name === query.get('span')) ?? '30d';
  const measure = usageMeasures.find((name) => name === query.get('measure')) ?? 'requests';
  const { stepMs, count, label } = spans[span];
  const { control } = context.database;
  await context.usage.flush();
  const steps = await readSeries(control, stepMs, count);
  const listing = readListing('/portal/usage', query, usageMeasures, measure);
  const used = await readUsedKeys(context.database, steps[0]?.start ?? new Date(), measure, listing.page);
  const path = (to: Span, of: UsageMeasure) => `/portal/usage?span=${to}&measure=${of}`;
  return {
    title: 'Usage',
    section: 'usage',
    body: html`
<h1>Usage</h1>
<div class="choices">
${choice(
  'Measure',
  usageMeasures.map((name) => [path(span, name), measureLabels[name], name === measure] as const),
)}
${choice(
  'Time',
  (Object.keys(spans) as Span[]).map((name) => [path(name, measure), spans[name].label, name === span] as const),
)}
</div>
<section><h2>${measureLabels[measure]} in the last ${label}</h2>${usageChart(steps, measure, stepMs === hourMs)}</section>
<section><h2>By key</h2>${byKey(used, listing)}</section>`,
  };
};

export const usagePages = (scope: FastifyInstance, context: PortalContext): void =>
  addPage(scope, context, '/portal/usage', { get: (call) => content(context, call) });
