/** The steps from files to loaded rows, each with its page. */
import { type Html, html } from '../../../pages/html.ts';
import type { Wording } from '../../texts/wording.ts';

const steps = ['drop', 'understand', 'check', 'load'] as const;
export type Step = (typeof steps)[number];

export const dataPath = (slug: string): string => `/portal/customers/${slug}/data`;
export const sourcesPath = (slug: string): string => `${dataPath(slug)}/sources`;
export const draftPath = (slug: string, id: string): string => `${dataPath(slug)}/drafts/${id}`;

/** The steps with the current one. Steps behind the current one have an address. */
export const stepList = ({ data: { steps: t } }: Wording, current: Step, addresses: Partial<Record<Step, string>>): Html =>
  html`<ol class="steps" aria-label="${t.label}">${steps.map((step) => {
    const address = step === current ? undefined : addresses[step];
    return html`<li${step === current && html` aria-current="step"`}>${address === undefined ? t[step] : html`<a href="${address}">${t[step]}</a>`}</li>`;
  })}</ol>`;
