/** Forms that show each error at its field and keep the input. */
import { OperatorError } from '../../errors.ts';
import { field } from '../pages/elements.ts';
import { type Html, html } from '../pages/html.ts';
import type { PortalCall, PortalPage } from './context.ts';
import { Refusal, refusalText } from './failures.ts';
import type { PageContent } from './layout.ts';
import { type Wording, wordings } from './texts/wording.ts';

/** The errors of a form by field name. */
export type Problems = ReadonlyMap<string, Html | string>;

export class FormError extends OperatorError {
  readonly errors: ReadonlyMap<string, OperatorError>;

  constructor(errors: ReadonlyMap<string, OperatorError>) {
    super([...errors.values()].map(({ message }) => message).join(' '));
    this.errors = errors;
  }

  /** The errors as its page shows them. */
  problemsIn(wording: Wording): Problems {
    return new Map([...this.errors].map(([name, error]) => [name, refusalText(error, wording)]));
  }
}

/** Runs a step. Its error belongs to the named field, unless the error has another type. */
export const forField = async <T>(name: string, step: () => T | Promise<T>): Promise<T> => {
  try {
    return await step();
  } catch (error) {
    const isOfField = error instanceof OperatorError && (error.constructor === OperatorError || error instanceof Refusal);
    throw isOfField ? new FormError(new Map([[name, error]])) : error;
  }
};

/** Parses fields by their names. Throws one `FormError` for all invalid fields. */
export const readForm = async <T extends object>(fields: { readonly [Name in keyof T]: () => T[Name] | Promise<T[Name]> }): Promise<T> => {
  const values: Partial<T> = {};
  const errors = new Map<string, OperatorError>();
  for (const name of Object.keys(fields) as (keyof T & string)[])
    try {
      values[name] = await forField(name, fields[name]);
    } catch (error) {
      if (!(error instanceof FormError)) throw error;
      for (const [at, one] of error.errors) errors.set(at, one);
    }
  if (errors.size > 0) throw new FormError(errors);
  return values as T;
};

export interface Labelled {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
}

/** The error message of a field, which `aria-describedby` names. */
export const problemAt = (problems: Problems, name: string): Html | undefined =>
  problems.has(name) ? html`<span class="problem" id="${name}-problem">${problems.get(name)}</span>` : undefined;

/** A labelled control. `attributes` link it to its hint and error. The first invalid control has the focus. */
export const formField = (problems: Problems, { name, label, hint }: Labelled, control: (attributes: Html) => Html): Html => {
  const problem = problemAt(problems, name);
  const notes = [hint && `${name}-hint`, problem && `${name}-problem`].filter(Boolean).join(' ');
  const isFirst = problems.keys().next().value === name;
  const attributes = html`${notes && html` aria-describedby="${notes}"`}${problem && html` aria-invalid="true"`}${isFirst && html` autofocus`}`;
  return field(label, control(attributes), hint && html`<span id="${name}-hint">${hint}</span>`, problem);
};

/** The message above an invalid form. */
export const refusal = ({ size }: Problems, { keys: { refused }, count }: Wording = wordings.en): Html | undefined =>
  size === 0 ? undefined : html`<p class="notice bad" role="alert">${size === 1 ? refused.one : refused.more(count(size))}</p>`;

export const noProblems: Problems = new Map();

/** Executes a form, or shows it again with its errors. */
export const orShowErrors =
  (work: PortalPage, again: (call: PortalCall, problems: Problems) => Promise<PageContent>): PortalPage =>
  async (call) => {
    try {
      return await work(call);
    } catch (error) {
      if (error instanceof FormError) return again(call, error.problemsIn(wordings.en));
      throw error;
    }
  };
