/** The doubts of a draft as forms, and its lists as tables. All text of the files is shown as text. */
import type { Doubt } from '../../../../sources/draft/doubt.ts';
import type { Mark, UnderstoodList } from '../../../../sources/draft/understand.ts';
import type { DraftedSource, RecognisedList } from '../../../../sources/outside/protocol.ts';
import { field, nothing, pill, select, type Tone, table } from '../../../pages/elements.ts';
import { formatCount } from '../../../pages/format.ts';
import { type Html, html } from '../../../pages/html.ts';
import { tokenField } from '../../layout.ts';

const quoted = (values: readonly string[]): string => values.map((value) => `“${value}”`).join(', ');

/** As many codes are buttons. More of them are a list to choose from. */
const buttons = 6;

/** One way to answer a doubt. */
const answerForm = (action: string, token: string, { id }: Doubt, content: Html): Html =>
  html`<form method="post" action="${action}" class="fields">${tokenField(token)}<input type="hidden" name="doubt" value="${id}">${content}</form>`;

const choice = (name: string, value: string): Html => html`<button name="${name}" value="${value}">${value}</button>`;

const constantForm = (codes: readonly string[]): Html => {
  if (codes.length > 0 && codes.length <= buttons) return html`<div class="actions">${codes.map((code) => choice('constant', code))}</div>`;
  const control =
    codes.length > 0
      ? select(
          'constant',
          codes.map((code) => [code, code] as const),
        )
      : html`<input name="constant" required maxlength="200">`;
  return html`${field('The same value in each row', control)}<div class="actions"><button>State the value</button></div>`;
};

const doubtForms = (doubt: Doubt, action: string, token: string): Html => {
  const { place, text, values, choices, input } = doubt;
  const form = (content: Html) => answerForm(action, token, doubt, content);
  return html`<section class="panel doubt" aria-label="${place}">
<p><strong>${place}</strong></p>
<p>${text}</p>
${values.length > 0 && html`<p class="hint">Values: ${quoted(values)}</p>`}
${choices.length > 0 && form(html`<div class="actions">${choices.map((label) => choice('choice', label))}</div>`)}
${input.values && form(html`${input.values.values.map((value) => field(`“${value}” is`, select('code', [['', 'not answered'], ...(input.values?.codes ?? []).map((code) => [code, code] as const)])))}<div class="actions"><button>State the codes</button></div>`)}
${input.constant && form(constantForm(input.constant.codes))}
${
  input.columns &&
  form(
    html`${field(
      input.constant ? 'Or the values of a column' : 'The column that has the values',
      select(
        'column',
        input.columns.map((name) => [name, name] as const),
      ),
    )}<div class="actions"><button>Take the column</button></div>`,
  )
}
</section>`;
};

/** The open doubts, each with its answers. */
export const doubtList = ({ understood: { doubts, problem } }: DraftedSource, action: string, token: string): Html => {
  if (problem !== undefined)
    return html`<div class="notice bad" role="alert"><p>No raw table is known for the lists. Write the tables into the source file below.</p><pre>${problem}</pre></div>`;
  if (doubts.length === 0) return html`<p class="notice good" role="status">No doubt is open. Check the files.</p>`;
  return html`<p class="notice warn" role="status">${doubts.length === 1 ? '1 doubt is' : `${formatCount(doubts.length)} doubts are`} open. A load refuses the source until each is answered.</p>
${doubts.map((doubt) => doubtForms(doubt, action, token))}`;
};

const tones: Readonly<Record<Mark, Tone>> = { sure: 'good', doubtful: 'warn', rows: 'good', unused: 'off' };
const marks: Readonly<Record<Mark, string>> = { sure: 'sure', doubtful: 'doubtful', rows: 'key or condition', unused: 'not used' };

const columnHeadings = [{ label: 'Column' }, { label: 'Values' }, { label: 'Mark' }, { label: 'Becomes' }] as const;

/** How the list is read, as far as it is known. */
const readAs = ({ rows, origin: { format, encoding, dialect } }: RecognisedList): string =>
  [
    `${formatCount(rows)} rows looked at`,
    ...(format ? [format] : []),
    ...(encoding ? [encoding] : []),
    ...(dialect?.sheetName ? [`sheet ${dialect.sheetName}`] : []),
    ...(dialect?.delimiter ? [`fields end with ${JSON.stringify(dialect.delimiter)}`] : []),
  ].join(', ');

const listSection = ({ name, tables, columns }: UnderstoodList, recognised: RecognisedList | undefined): Html => {
  const rows = columns.map((column) => [
    column.name,
    quoted(column.values),
    pill(marks[column.mark], tones[column.mark]),
    html`${column.targets.map(({ column: target, evidence }) => html`<div><code>${target}</code>${evidence !== '' && html` <span class="hint">${evidence}</span>`}</div>`)}`,
  ]);
  const named = [...new Map(tables.map((one) => [one.table, one])).values()];
  return html`<section><h3>${name}</h3>
${recognised && html`<p class="hint">${readAs(recognised)}</p>`}
${named.length === 0 ? html`<p>No raw table is known for its columns, so it is not loaded.</p>` : html`<ul>${named.map(({ table: target, evidence }) => html`<li><code>${target}</code>${evidence !== '' && html`: ${evidence}`}</li>`)}</ul>`}
${table(columnHeadings, rows, `Columns of ${name}`)}</section>`;
};

/** What was recognised, and what not. */
export const recognisedLists = ({ understood, lists, unread }: DraftedSource): Html => html`
${
  understood.lists.length === 0
    ? nothing('No list was recognised.')
    : understood.lists.map((list) =>
        listSection(
          list,
          lists.find(({ name }) => name === list.name),
        ),
      )
}
${unread.length > 0 && html`<div class="notice warn"><p>Not read:</p><pre>${unread.join('\n')}</pre></div>`}`;
