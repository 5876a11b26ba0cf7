/** The report of a check of a draft: rows, rejected rows, references, failed checks, and the form that loads. */
import { type PaperFigureName, paperFigureNames, paperFigures } from '../../../../catalogue/measures/paper-figures.ts';
import type { SourceCheck } from '../../../../sources/check.ts';
import { addDecimals } from '../../../../sources/columns/numbers.ts';
import type { DraftReport } from '../../../../sources/outside/upload-state.ts';
import { leftOutInWords } from '../../../../sync/left-out.ts';
import { numberText } from '../../../browser/values.ts';
import { nothing, table } from '../../../pages/elements.ts';
import { formatCount } from '../../../pages/format.ts';
import { type Html, html } from '../../../pages/html.ts';
import { tokenField } from '../../layout.ts';

const number = (label: string) => ({ label, isNumber: true }) as const;

const tableHeadings = [
  { label: 'Table' },
  ...['Rows read', 'Not counted', 'Rejected', 'Loaded', 'Inserted', 'Updated', 'Deleted'].map(number),
] as const;

/** What the load would do to each raw table. */
const changesOf = ({ load }: SourceCheck, name: string) =>
  load?.tables.find(({ kind, table: raw }) => kind === 'raw' && raw === name) ?? { inserted: 0, updated: 0, deleted: 0 };

const tablesReport = (check: SourceCheck): Html => {
  const rows = check.tables.map(({ table: name, read, skipped, rejected, valid }) => {
    const { inserted, updated, deleted } = changesOf(check, name);
    return [html`<code>${name}</code>`, ...[read, skipped, rejected, valid, inserted, updated, deleted].map((value) => formatCount(value))];
  });
  return table(tableHeadings, rows, 'Rows in and out');
};

const rejectionHeadings = [
  { label: 'File' },
  { label: 'Column' },
  { label: 'Reason' },
  number('Rows'),
  number('Rows that refer to them'),
  { label: 'Examples' },
] as const;

const rejectionsReport = ({ rejections }: SourceCheck): Html | '' => {
  const kinds = rejections.filter(({ isOfTable }) => !isOfTable);
  if (kinds.length === 0) return '';
  const rows = kinds.map(({ file, column, reason, count, dependants, examples }) => [
    file,
    column ?? '',
    reason,
    formatCount(count),
    formatCount(dependants),
    examples.map(({ line, value }) => `line ${line ?? '?'}${value === undefined ? '' : `: “${value}”`}`).join('; '),
  ]);
  return html`<section><h2>Rejected rows</h2>${table(rejectionHeadings, rows, 'Rejected rows and unresolved references, by reason')}</section>`;
};

const figuresReport = ({ load }: SourceCheck): Html | '' => {
  const figures = load?.figures ?? [];
  const shown = paperFigureNames.filter((name) => (figures[0]?.[name] ?? null) !== null);
  if (shown.length === 0) return '';
  const figureOf = (name: PaperFigureName, rows: typeof figures): string =>
    numberText(addDecimals(rows.map((row) => row[name] ?? '0')), 'en');
  const rows = figures.map((one) => [one.property, ...shown.map((name) => figureOf(name, [one]))]);
  const all = [html`<strong>All</strong>`, ...shown.map((name) => html`<strong>${figureOf(name, figures)}</strong>`)];
  const headings = [{ label: 'Property' }, ...shown.map((name) => number(paperFigures[name].label.en))];
  return html`<section><h2>Figures to compare with paper</h2>${table(headings, [...rows, all], 'What each property would have')}</section>`;
};

const checkHeadings = [{ label: 'Check' }, { label: 'What' }, { label: 'Severity' }, number('Rows'), { label: 'Examples' }] as const;

const failedChecks = ({ load }: SourceCheck): Html | '' => {
  if (!load) return '';
  const rows = load.failed_checks.map(({ name, en, severity, count, keys }) => [
    html`<code>${name}</code>`,
    en,
    severity,
    count === null ? 'not run' : formatCount(count),
    keys.join(', '),
  ]);
  const unchecked = load.checks_error === null ? '' : html`<p class="notice warn">The data was not checked: ${load.checks_error}</p>`;
  return html`<section><h2>Checks of the data</h2>${unchecked}${rows.length === 0 ? nothing('No check would fail.') : table(checkHeadings, rows, 'Checks that would fail')}</section>`;
};

const sampleTables = ({ tables }: SourceCheck): Html => {
  const shown = tables.filter(({ samples }) => samples.length > 0);
  if (shown.length === 0) return html``;
  return html`<details class="panel"><summary>Rows as they are and as they will be</summary>${shown.map(({ table: name, samples }) => {
    const rows = samples.map(({ file, line, before, after }) => [
      `${file}, line ${line}`,
      Object.entries(before)
        .map(([column, value]) => `${column}: ${value}`)
        .join(' · '),
      Object.entries(after)
        .filter(([, value]) => value !== null)
        .map(([column, value]) => `${column}: ${value}`)
        .join(' · '),
    ]);
    return table([{ label: 'Place' }, { label: 'As it is' }, { label: 'As it will be' }], rows, `Rows of ${name}`);
  })}</details>`;
};

const notes = ({ tables, leftOut, notLoaded }: SourceCheck): Html | '' => {
  const lines = [
    ...leftOutInWords(leftOut),
    ...notLoaded.map((name) => `not loaded: ${name}`),
    ...tables.flatMap((one) => [
      ...one.notes,
      ...Object.entries(one.unknownCodes).flatMap(([column, codes]) =>
        Object.entries(codes).map(([code, count]) => `${one.table}.${column}: “${code}” is no known code, ${formatCount(count)} rows`),
      ),
    ]),
  ];
  return lines.length === 0 ? '' : html`<div class="notice warn"><p>To know:</p><pre>${lines.join('\n')}</pre></div>`;
};

/** The raw tables that would lose rows, with their number. */
export const deletesOf = ({ load }: SourceCheck): readonly (readonly [table: string, rows: number])[] =>
  (load?.tables ?? []).flatMap(({ kind, table: name, deleted }) => (kind === 'raw' && deleted > 0 ? [[name, deleted] as const] : []));

/** How a form confirms the deleted rows of a table. */
export const confirmation = ([name, rows]: readonly [table: string, rows: number]): string => `${name}:${rows}`;

interface Actions {
  readonly load: string;
  readonly check: string;
  readonly token: string;
  /** The check, whose figures the load confirms. */
  readonly id: string;
}

const loadForm = (check: SourceCheck, { load, token, id }: Actions): Html => {
  const deletes = deletesOf(check);
  return html`<form method="post" action="${load}" class="panel">${tokenField(token)}<input type="hidden" name="check" value="${id}">
${
  deletes.length > 0 &&
  html`<fieldset class="field"><legend class="label">These rows are in the tables and not in the files. The load deletes them.</legend>
${deletes.map((one) => html`<label><input type="checkbox" name="deletes" value="${confirmation(one)}" required> Delete ${formatCount(one[1])} ${one[1] === 1 ? 'row' : 'rows'} of ${one[0]}</label>`)}</fieldset>`
}
<div class="actions"><button class="primary">Load</button></div></form>`;
};

/** Differences from the last delivery, which a person can declare right. */
const allowForm = ({ check: action, token }: Actions): Html => html`<form method="post" action="${action}">${tokenField(token)}
<button name="allows" value="differences">The differences above are right: check again</button></form>`;

export const checkReport = ({ check, allows }: DraftReport, actions: Actions): Html => {
  const isHeld = check.isHeld && !allows.includes('differences');
  return html`${
    check.isLoadable
      ? html`<p class="notice good" role="status">The files can be loaded. Nothing was changed: this is what a load would do.</p>${loadForm(check, actions)}`
      : html`<div class="notice bad" role="alert"><p>The files cannot be loaded yet. Nothing was changed.</p><pre>${check.errors.slice(0, 100).join('\n')}</pre></div>${isHeld && allowForm(actions)}`
  }
${notes(check)}
${figuresReport(check)}
<section><h2>Tables</h2>${tablesReport(check)}</section>
${rejectionsReport(check)}
${failedChecks(check)}
${sampleTables(check)}`;
};
