/** Small parts of pages. */
import { formatDistance, formatTime } from './format.ts';
import { type Html, html } from './html.ts';
import type { LanguageCode } from './language.ts';

/** A point in time relative to now; hovering shows the exact time. */
export const time = (at: Date | null | undefined, never = '–', language: LanguageCode = 'en'): Html =>
  at
    ? html`<time datetime="${at.toISOString()}" title="${formatTime(at, language)}">${formatDistance(at, Date.now(), language)}</time>`
    : html`<span class="quiet">${never}</span>`;

export type Tone = 'good' | 'warn' | 'bad' | 'off';

export const pill = (text: string, tone: Tone): Html => html`<span class="pill ${tone}">${text}</span>`;

export interface Heading {
  readonly label: string;
  readonly isNumber?: true;
  /** Hidden in the cards of a narrow screen. The entry's own page shows it. */
  readonly isExtra?: boolean;
  /** The content of the heading, such as a link that sorts; its label by default. */
  readonly content?: Html;
  /** The order of the table by this column. */
  readonly order?: 'ascending' | 'descending';
}

/** A table that becomes a list of cards on a narrow screen, each cell under its heading. */
export const table = (headings: readonly Heading[], rows: readonly (readonly (Html | string | number)[])[], caption: string): Html => html`
<div class="scroll" tabindex="0" role="group" aria-label="${caption}"><table class="cards">
<caption>${caption}</caption>
<thead><tr>${headings.map(
  ({ label, isNumber, content, order }) =>
    html`<th scope="col"${isNumber && html` class="number"`}${order && html` aria-sort="${order}"`}>${content ?? label}</th>`,
)}</tr></thead>
<tbody>${rows.map(
  (cells) =>
    html`<tr>${cells.map((cell, index) => html`<td data-label="${headings[index]?.label}"${headings[index]?.isNumber && html` class="number"`}${headings[index]?.isExtra && html` class="extra"`}>${cell}</td>`)}</tr>
`,
)}</tbody>
</table></div>`;

/** A label, its control, a hint and an error message. */
export const field = (label: string, control: Html, hint?: Html | string, problem?: Html): Html =>
  html`<div class="field"><label><span class="label">${label}</span>${control}</label>${hint && html`<span class="hint">${hint}</span>`}${problem}</div>`;

/** A name of any length, cut after two lines; hovering shows it in full. */
export const longName = (path: string, name: string): Html => html`<a class="name" href="${path}" title="${name}">${name}</a>`;

export const select = (
  name: string,
  options: readonly (readonly [value: string, label: string])[],
  chosen?: string,
  attributes?: Html,
): Html =>
  html`<select name="${name}"${attributes}>${options.map(
    ([value, label]) => html`<option value="${value}"${value === chosen && html` selected`}>${label}</option>`,
  )}</select>`;

export const failure = (message: string | undefined): Html | undefined =>
  message === undefined ? undefined : html`<p class="notice bad" role="alert">${message}</p>`;

/** The text in place of an empty list. */
export const nothing = (text: string, action?: Html): Html => html`<div class="nothing"><p>${text}</p>${action}</div>`;

export const tile = (label: string, value: Html | string, note?: Html | string): Html =>
  html`<div class="tile"><dt>${label}</dt><dd>${value}</dd>${note && html`<dd class="note">${note}</dd>`}</div>`;
