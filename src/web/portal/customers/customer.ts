/** One customer: its last loads, its keys, its questions, and its actions. */
import type { FastifyInstance } from 'fastify';
import { type QuestionRecord, QuestionStore } from '../../../access/questions.ts';
import { type Customer, findCustomer } from '../../../database/control/customers.ts';
import { documentTitle } from '../../../graphql/questions/document.ts';
import { variableNames } from '../../../graphql/questions/outcomes.ts';
import { listRuns } from '../../../sync/history.ts';
import { questionAddress, questionQuery } from '../../docs/question-query.ts';
import { nothing, table, tile, time } from '../../pages/elements.ts';
import { formatCount } from '../../pages/format.ts';
import { type Html, html } from '../../pages/html.ts';
import type { PortalCall, PortalContext } from '../context.ts';
import { noProblems, orShowErrors, refusal } from '../form.ts';
import { readKeys } from '../keys/key-list.ts';
import { keyTable } from '../keys/keys.ts';
import type { PageContent } from '../layout.ts';
import { addPage } from '../page.ts';
import { wordings } from '../texts/wording.ts';
import { changeForms, customerChanges, removalContent, remove } from './customer-changes.ts';
import { latest, loadList } from './data.ts';
import { readTableStates, type TableState } from './freshness.ts';
import { viewPath } from './view.ts';

const runsShown = 3;

const facts = ({ tier, slug, created_at }: Customer, tables: readonly TableState[]): Html => html`<dl class="tiles">
${tile('Tier', tier, html`Slug <code>${slug}</code>`)}
${tile('Rows', formatCount(tables.filter(({ kind }) => kind === 'category').reduce((sum, { row_count }) => sum + row_count, 0)), 'in category tables')}
${tile('Last sync', time(latest(tables.map(({ synced_at }) => synced_at)), 'never'))}
${tile('Last change', time(latest(tables.map(({ changed_at }) => changed_at)), 'never'), html`Customer since ${time(created_at)}`)}
</dl>`;

const keysShown = 10;

const newestKeys = async (context: PortalContext, { slug }: Customer): Promise<Html> => {
  await context.usage.flush();
  const order = { search: '', sort: 'created', isDescending: true, page: 1 } as const;
  const { rows, total } = await readKeys(context.database, order, { customer: slug, withEnded: true }, keysShown);
  if (total === 0) return nothing('There is no key yet.');
  const path = `/portal/keys?customer=${slug}&ended=yes`;
  return html`${keyTable(context, rows, { ofOne: true })}${
    total > rows.length && html`<p class="more"><a href="${path}">All ${formatCount(total)} keys</a></p>`
  }`;
};

/** Reads the variables of one question after the other, because a document that was never checked is parsed. */
const withVariables = async (questions: readonly QuestionRecord[]) => {
  const read: { readonly name: string; readonly variables: readonly string[] }[] = [];
  for (const question of questions) read.push({ name: question.name, variables: await variableNames(question) });
  return read;
};

/** The addresses and queries of questions for programs that open CSV. */
const programsOf = async (
  origin: string,
  questions: readonly QuestionRecord[],
): Promise<Html> => html`<details class="panel" data-address="${origin}">
<summary>CSV and Power Query</summary>
<p class="hint">The program asks for the key: any user name, and the key as the password. CSV is for questions with one list; others are a 422.</p>
${(await withVariables(questions)).map(({ name, variables }) => {
  const asked = { origin, name, variables };
  return html`<dl class="facts"><div><dt>${name}</dt><dd><code>${questionAddress(asked)}</code></dd></div></dl>
<div class="sample"><pre tabindex="0"><code>${questionQuery(asked)}</code></pre></div>`;
})}
</details>`;

/** The saved questions that the customer's keys can ask. */
const questionList = async ({ database }: PortalContext, { request }: PortalCall, { slug }: Customer): Promise<Html> => {
  const { publicUrl } = request.server;
  const questions = await new QuestionStore(database).list(slug);
  if (questions.length === 0) return nothing('There is no saved question yet.');
  const rows = questions.map(({ name, customer, document, saved_by, added_at }) => [
    html`<code>${publicUrl.to(`/questions/${name}`)}</code>`,
    documentTitle(document),
    customer === null ? 'all customers' : 'this customer',
    saved_by ?? 'operator',
    time(added_at),
  ]);
  // A question of the customer replaces a general one of the same name.
  const own = new Set(questions.filter(({ customer }) => customer !== null).map(({ name }) => name));
  const asked = questions.filter(({ name, customer }) => customer !== null || !own.has(name));
  return html`${table([{ label: 'Address' }, { label: 'Title' }, { label: 'For' }, { label: 'Saved by' }, { label: 'Saved' }], rows, 'Saved questions')}
${await programsOf(publicUrl.address, asked)}`;
};

const content = async (context: PortalContext, call: PortalCall, problems = noProblems): Promise<PageContent> => {
  const customer = await findCustomer(context.database, call.parameter('slug'));
  const { name, slug, suspended_at } = customer;
  const tables = await readTableStates(context.database, customer.schema_name);
  return {
    title: name,
    section: 'customers',
    status: problems.size === 0 ? 200 : 422,
    body: html`
<div class="head"><h1>${name}</h1><span class="actions">${
      !suspended_at && html`<a class="button" href="${viewPath(slug)}">Explore its rows</a> `
    }<a class="button primary" href="/portal/keys/new?customer=${slug}">Create a key</a></span></div>
${refusal(problems)}
${suspended_at && html`<p class="notice warn">Suspended ${time(suspended_at)}: all keys of this customer get 403 until it is resumed.</p>`}
${facts(customer, tables)}
<section><h2>Keys</h2>${await newestKeys(context, customer)}</section>
${changeForms(customer, call, problems)}
<section><h2>Data</h2>${loadList(await listRuns(context.database, customer, runsShown), latest(tables.map(({ synced_at }) => synced_at)), wordings.en)}
<p class="more"><a href="/portal/customers/${slug}/data">Checks, loads, tables; load files</a></p></section>
<section><h2>Webhooks</h2><p class="more"><a href="/portal/customers/${slug}/webhooks">${formatCount((await call.webhooks.list(slug)).length)} webhooks: state, deliveries, tests</a></p></section>
<section><h2>Saved questions</h2>${await questionList(context, call, customer)}
<p class="hint">To save one: <code>estate question add &lt;name&gt; &lt;file&gt; --customer ${slug}</code>. Keys with the group <code>questions</code> save their own.</p></section>`,
  };
};

export const customerPages = (scope: FastifyInstance, context: PortalContext): void => {
  const path = '/portal/customers/:slug';
  addPage(scope, context, path, { get: (call) => content(context, call) });
  for (const [name, change] of Object.entries(customerChanges))
    addPage(scope, context, `${path}/${name}`, { post: orShowErrors(change, (call, problems) => content(context, call, problems)) });
  addPage(scope, context, `${path}/remove`, {
    get: (call) => removalContent(context, call),
    post: orShowErrors(
      (call) => remove(context, call),
      (call, problems) => removalContent(context, call, problems),
    ),
  });
};
