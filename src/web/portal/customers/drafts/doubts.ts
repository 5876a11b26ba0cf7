/** The doubts of a draft as forms, and its lists as tables. All text of the files is shown as text. */
import type { Doubt } from '../../../../sources/draft/doubt.ts';
import type { Mark, UnderstoodList } from '../../../../sources/draft/understand.ts';
import type { DraftedSource, RecognisedList } from '../../../../sources/outside/protocol.ts';
import { field, nothing, pill, select, type Tone, table } from '../../../pages/elements.ts';
import { type Html, html } from '../../../pages/html.ts';
import { tokenField } from '../../layout.ts';
import type { Wording } from '../../texts/wording.ts';

const quoted = ({ imports: { doubts } }: Wording, values: readonly string[]): string => values.map(doubts.quoted).join(', ');

/** As many codes are buttons. More of them are a list to choose from. */
const buttons = 6;

/** One way to answer a doubt. */
const answerForm = (action: string, token: string, { id }: Doubt, content: Html): Html =>
  html`<form method="post" action="${action}" class="fields">${tokenField(token)}<input type="hidden" name="doubt" value="${id}">${content}</form>`;

const choice = (name: string, value: string, label: Html | string): Html => html`<button name="${name}" value="${value}">${label}</button>`;

/** The words of a doubt in the language of the page. */
const wordsOf = ({ text, choices, german }: Doubt, { language, inEnglish }: Wording) => {
  if (language === 'en') return { text, choiceAt: (index: number) => choices[index] ?? '', codeOf: (code: string) => code };
  return {
    text: german?.text ?? inEnglish(text),
    choiceAt: (index: number) => german?.choices[index] ?? inEnglish(choices[index] ?? ''),
    codeOf: (code: string) => german?.codes[code] ?? code,
  };
};

const constantForm = (codes: readonly string[], codeOf: (code: string) => string, { imports: { doubts: t } }: Wording): Html => {
  if (codes.length > 0 && codes.length <= buttons)
    return html`<div class="actions">${codes.map((code) => choice('constant', code, codeOf(code)))}</div>`;
  const control =
    codes.length > 0
      ? select(
          'constant',
          codes.map((code) => [code, codeOf(code)] as const),
        )
      : html`<input name="constant" required maxlength="200">`;
  return html`${field(t.sameValue, control)}<div class="actions"><button>${t.stateValue}</button></div>`;
};

const doubtForms = (doubt: Doubt, action: string, token: string, wording: Wording): Html => {
  const { place, values, choices, input } = doubt;
  const { text, choiceAt, codeOf } = wordsOf(doubt, wording);
  const t = wording.imports.doubts;
  const form = (content: Html) => answerForm(action, token, doubt, content);
  return html`<section class="panel doubt" aria-label="${place}">
<p><strong>${place}</strong></p>
<p>${text}</p>
${values.length > 0 && html`<p class="hint">${t.values(quoted(wording, values))}</p>`}
${choices.length > 0 && form(html`<div class="actions">${choices.map((label, index) => choice('choice', label, choiceAt(index)))}</div>`)}
${input.values && form(html`${input.values.values.map((value) => field(t.valueIs(value), select('code', [['', t.notAnswered], ...(input.values?.codes ?? []).map((code) => [code, codeOf(code)] as const)])))}<div class="actions"><button>${t.stateCodes}</button></div>`)}
${input.constant && form(constantForm(input.constant.codes, codeOf, wording))}
${
  input.columns &&
  form(
    html`${field(
      input.constant ? t.orColumn : t.column,
      select(
        'column',
        input.columns.map((name) => [name, name] as const),
      ),
    )}<div class="actions"><button>${t.takeColumn}</button></div>`,
  )
}
</section>`;
};

/** The open doubts, each with its answers. */
export const doubtList = (
  { understood: { doubts, problem } }: DraftedSource,
  { action, token, wording }: { readonly action: string; readonly token: string; readonly wording: Wording },
): Html => {
  const { doubts: t } = wording.imports;
  if (problem !== undefined)
    return html`<div class="notice bad" role="alert"><p>${t.noTable}</p><pre>${wording.inEnglish(problem)}</pre></div>`;
  if (doubts.length === 0) return html`<p class="notice good" role="status">${t.none}</p>`;
  return html`<p class="notice warn" role="status">${t.open(wording.count(doubts.length))}</p>
${doubts.map((doubt) => doubtForms(doubt, action, token, wording))}`;
};

const tones: Readonly<Record<Mark, Tone>> = { sure: 'good', doubtful: 'warn', rows: 'good', unused: 'off' };

/** How the list is read, as far as it is known. */
const readAs = ({ rows, origin: { format, encoding, dialect } }: RecognisedList, { imports: { lists: t }, count }: Wording): string =>
  [
    t.lookedAt(count(rows)),
    ...(format ? [format] : []),
    ...(encoding ? [encoding] : []),
    ...(dialect?.sheetName ? [t.sheet(dialect.sheetName)] : []),
    ...(dialect?.delimiter ? [t.delimiter(JSON.stringify(dialect.delimiter))] : []),
  ].join(', ');

const listSection = ({ name, tables, columns }: UnderstoodList, recognised: RecognisedList | undefined, wording: Wording): Html => {
  const { lists: t } = wording.imports;
  const { inEnglish, rawTable, rawColumn } = wording;
  const headings = [t.column, t.values, t.mark, t.becomes].map((label) => ({ label }));
  const rows = columns.map((column) => [
    column.name,
    quoted(wording, column.values),
    pill(t.marks[column.mark], tones[column.mark]),
    html`${column.targets.map(({ column: target, evidence }) => html`<div>${rawColumn(target)}${evidence !== '' && html` <span class="hint">${inEnglish(evidence)}</span>`}</div>`)}`,
  ]);
  const named = [...new Map(tables.map((one) => [one.table, one])).values()];
  return html`<section><h3>${name}</h3>
${recognised && html`<p class="hint">${readAs(recognised, wording)}</p>`}
${named.length === 0 ? html`<p>${t.noTable}</p>` : html`<ul>${named.map(({ table: target, evidence }) => html`<li>${rawTable(target)}${evidence !== '' && html`: ${inEnglish(evidence)}`}</li>`)}</ul>`}
${table(headings, rows, t.caption(name))}</section>`;
};

/** What was recognised, and what not. */
export const recognisedLists = ({ understood, lists, unread }: DraftedSource, wording: Wording): Html => html`
${
  understood.lists.length === 0
    ? nothing(wording.imports.lists.none)
    : understood.lists.map((list) =>
        listSection(
          list,
          lists.find(({ name }) => name === list.name),
          wording,
        ),
      )
}
${unread.length > 0 && html`<div class="notice warn"><p>${wording.imports.lists.notRead}</p><pre>${wording.inEnglish(unread.join('\n'))}</pre></div>`}`;
