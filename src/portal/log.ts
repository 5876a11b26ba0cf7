/** The log of everything that was done here and on the command line. */
import type { FastifyInstance } from 'fastify';
import { readLog } from '../access/audit.ts';
import type { PortalContext } from './context.ts';
import { nothing, table, time } from './elements.ts';
import { html } from './html.ts';
import type { Screen } from './layout.ts';
import { addPage } from './page.ts';
import type { Visit } from './visit.ts';

const pageLength = 50;

const headings = [{ label: 'What' }, { label: 'Subject' }, { label: 'Who' }, { label: 'From' }, { label: 'When' }] as const;

const screen = async ({ database }: PortalContext, { query }: Visit): Promise<Screen> => {
  const before = /^\d{1,15}$/.test(query.get('before') ?? '') ? Number(query.get('before')) : undefined;
  const entries = await readLog(database.control, pageLength + 1, before);
  const shown = entries.slice(0, pageLength);
  const rows = shown.map(({ at, action, subject, actor, address }) => [action, subject, actor, address ?? '–', time(at)]);
  return {
    title: 'Log',
    section: 'log',
    body: html`
<h1>Log</h1>
<p class="lead">Every action here and on the command line, newest first.</p>
${rows.length > 0 ? table(headings, rows, 'Actions') : nothing('Nothing was done yet.')}
${entries.length > pageLength && html`<p><a class="button" href="/portal/log?before=${shown.at(-1)?.id}">Older entries</a></p>`}`,
  };
};

export const logPages = (scope: FastifyInstance, context: PortalContext): void =>
  addPage(scope, context, '/portal/log', { get: (visit) => screen(context, visit) });
