/** The report of a check of a draft: rows, rejected rows, references, failed checks, and the form that loads. */
import { type PaperFigureName, paperFigureNames, paperFigures } from '../../../../catalogue/measures/paper-figures.ts';
import type { SourceCheck } from '../../../../sources/check.ts';
import { addDecimals } from '../../../../sources/columns/numbers.ts';
import type { DraftReport } from '../../../../sources/outside/upload-state.ts';
import type { LeftOut } from '../../../../sync/left-out.ts';
import { nothing, table } from '../../../pages/elements.ts';
import { type Html, html } from '../../../pages/html.ts';
import { tokenField } from '../../layout.ts';
import type { Wording } from '../../texts/wording.ts';

const number = (label: string) => ({ label, isNumber: true }) as const;

/** What the load would do to each raw table. */
const changesOf = ({ load }: SourceCheck, name: string) =>
  load?.tables.find(({ kind, table: raw }) => kind === 'raw' && raw === name) ?? { inserted: 0, updated: 0, deleted: 0 };

const tablesReport = (check: SourceCheck, { data: { columns: c }, imports: { report: t }, count, rawTable }: Wording): Html => {
  const headings = [{ label: c.table }, ...[c.read, t.notCounted, t.rejected, t.loadedRows, c.inserted, c.updated, c.deleted].map(number)];
  const rows = check.tables.map(({ table: name, read, skipped, rejected, valid }) => {
    const { inserted, updated, deleted } = changesOf(check, name);
    return [rawTable(name), ...[read, skipped, rejected, valid, inserted, updated, deleted].map(count)];
  });
  return table(headings, rows, t.tablesCaption);
};

const rejectionsReport = ({ rejections }: SourceCheck, { data, imports, count, inEnglish }: Wording): Html | '' => {
  const { report: t, lists, doubts } = imports;
  const headings = [
    { label: t.file },
    { label: lists.column },
    { label: t.reason },
    number(data.columns.rows),
    number(t.dependants),
    { label: t.examples },
  ];
  const kinds = rejections.filter(({ isOfTable }) => !isOfTable);
  if (kinds.length === 0) return '';
  const rows = kinds.map((kind) => [
    kind.file,
    kind.column ?? '',
    inEnglish(kind.reason),
    count(kind.count),
    count(kind.dependants),
    kind.examples.map(({ line, value }) => `${t.line(line ?? '?')}${value === undefined ? '' : `: ${doubts.quoted(value)}`}`).join('; '),
  ]);
  return html`<section><h2>${t.rejections}</h2>${table(headings, rows, t.rejectionsCaption)}</section>`;
};

const figuresReport = ({ load }: SourceCheck, { language, imports: { report: t }, decimal }: Wording): Html | '' => {
  const figures = load?.figures ?? [];
  const shown = paperFigureNames.filter((name) => (figures[0]?.[name] ?? null) !== null);
  if (shown.length === 0) return '';
  const figureOf = (name: PaperFigureName, rows: typeof figures): string => decimal(addDecimals(rows.map((row) => row[name] ?? '0')));
  const rows = figures.map((one) => [one.property, ...shown.map((name) => figureOf(name, [one]))]);
  const all = [html`<strong>${t.all}</strong>`, ...shown.map((name) => html`<strong>${figureOf(name, figures)}</strong>`)];
  const headings = [{ label: t.property }, ...shown.map((name) => number(paperFigures[name].label[language]))];
  return html`<section><h2>${t.figures}</h2>${table(headings, [...rows, all], t.figuresCaption)}</section>`;
};

const failedChecks = ({ load }: SourceCheck, { language, data, imports, count, inEnglish }: Wording): Html | '' => {
  if (!load) return '';
  const { report: t, loaded } = imports;
  const { what, severity, severities } = data.checks;
  const headings = [{ label: t.checkName }, { label: what }, { label: severity }, number(data.columns.rows), { label: t.examples }];
  const rows = load.failed_checks.map((check) => [
    html`<code>${check.name}</code>`,
    check[language],
    severities[check.severity] ?? check.severity,
    check.count === null ? t.notRun : count(check.count),
    check.keys.join(', '),
  ]);
  const unchecked = load.checks_error === null ? '' : html`<p class="notice warn">${loaded.unchecked} ${inEnglish(load.checks_error)}</p>`;
  return html`<section><h2>${t.checks}</h2>${unchecked}${rows.length === 0 ? nothing(t.noCheck) : table(headings, rows, t.checksCaption)}</section>`;
};

const sampleTables = ({ tables }: SourceCheck, { data, imports: { report: t } }: Wording): Html => {
  const shown = tables.filter(({ samples }) => samples.length > 0);
  if (shown.length === 0) return html``;
  return html`<details class="panel"><summary>${t.samples}</summary>${shown.map(({ table: name, samples }) => {
    const rows = samples.map(({ file, line, before, after }) => [
      data.line(file, line),
      Object.entries(before)
        .map(([column, value]) => `${column}: ${value}`)
        .join(' · '),
      Object.entries(after)
        .filter(([, value]) => value !== null)
        .map(([column, value]) => `${column}: ${value}`)
        .join(' · '),
    ]);
    return table([{ label: t.place }, { label: t.before }, { label: t.after }], rows, t.samplesOf(name));
  })}</details>`;
};

const notes = ({ tables, leftOut, notLoaded }: SourceCheck, wording: Wording): Html | '' => {
  const { count, inEnglish } = wording;
  const { report: t } = wording.imports;
  const lines = [
    ...leftOutLines({ leftOut, notLoaded }, wording),
    ...tables.flatMap((one) => [
      ...one.notes.map(inEnglish),
      ...Object.entries(one.unknownCodes).flatMap(([column, codes]) =>
        Object.entries(codes).map(([code, rows]) => t.unknownCode(`${one.table}.${column}`, code, count(rows))),
      ),
    ]),
  ];
  return lines.length === 0 ? '' : html`<div class="notice warn"><p>${t.toKnow}</p><pre>${joined(lines)}</pre></div>`;
};

/** Lines of a text. */
export const joined = (lines: readonly (Html | string)[]): Html => html`${lines.map((line, index) => html`${index > 0 && '\n'}${line}`)}`;

interface LeftOutOfLoad {
  readonly leftOut: readonly LeftOut[];
  readonly notLoaded: readonly string[];
}

/** What is not loaded: rows with their reasons, and files and sheets. */
export const leftOutLines = ({ leftOut, notLoaded }: LeftOutOfLoad, { imports: { loaded: t }, count, inEnglish }: Wording) => [
  ...leftOut.flatMap(({ table: name, action, rows, reasons }) => [
    (action === 'skip' ? t.skipped : t.quarantined)(name, count(rows)),
    ...reasons.map((reason) => html`  ${inEnglish(reason)}`),
  ]),
  ...notLoaded.map((name) => html`${inEnglish(t.notLoaded(name))}`),
];

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
  readonly wording: Wording;
}

const loadForm = (check: SourceCheck, { load, token, id, wording: { imports, count } }: Actions): Html => {
  const { report: t } = imports;
  const deletes = deletesOf(check);
  return html`<form method="post" action="${load}" class="panel">${tokenField(token)}<input type="hidden" name="check" value="${id}">
${
  deletes.length > 0 &&
  html`<fieldset class="field"><legend class="label">${t.deletes}</legend>
${deletes.map((one) => html`<label><input type="checkbox" name="deletes" value="${confirmation(one)}" required> ${t.deletesOf(count(one[1]), one[0])}</label>`)}</fieldset>`
}
<div class="actions"><button class="primary">${t.load}</button></div></form>`;
};

/** Differences from the last delivery, which a person can declare right. */
const allowForm = ({ check: action, token, wording }: Actions): Html => html`<form method="post" action="${action}">${tokenField(token)}
<button name="allows" value="differences">${wording.imports.report.allow}</button></form>`;

export const checkReport = ({ check, allows }: DraftReport, actions: Actions): Html => {
  const isHeld = check.isHeld && !allows.includes('differences');
  const { wording } = actions;
  const { report: t } = wording.imports;
  return html`${
    check.isLoadable
      ? html`<p class="notice good" role="status">${t.loadable}</p>${loadForm(check, actions)}`
      : html`<div class="notice bad" role="alert"><p>${t.notLoadable}</p><pre>${wording.inEnglish(check.errors.slice(0, 100).join('\n'))}</pre></div>${isHeld && allowForm(actions)}`
  }
${notes(check, wording)}
${figuresReport(check, wording)}
<section><h2>${t.tables}</h2>${tablesReport(check, wording)}</section>
${rejectionsReport(check, wording)}
${failedChecks(check, wording)}
${sampleTables(check, wording)}`;
};
