/** Forms that show each error at its field and keep the input. */
import { OperatorError } from '../../errors.ts';
import { field } from '../pages/elements.ts';
import { type Html, html } from '../pages/html.ts';
import type { Page, Visit } from './context.ts';
import type { Screen } from './layout.ts';

/** The errors of a form by field name. */
export type Faults = ReadonlyMap<string, string>;

export class FormFault extends OperatorError {
  readonly faults: Faults;

  constructor(faults: Faults) {
    super([...faults.values()].join(' '));
    this.faults = faults;
  }
}

/** Runs a step. Its error belongs to the named field, unless the error has another type. */
export const faultOf = async <T>(name: string, step: () => T | Promise<T>): Promise<T> => {
  try {
    return await step();
  } catch (error) {
    if (error instanceof OperatorError && error.constructor === OperatorError) throw new FormFault(new Map([[name, error.message]]));
    throw error;
  }
};

/** Parses fields by their names. Throws one `FormFault` for all invalid fields. */
export const readForm = async <T extends object>(fields: { readonly [Name in keyof T]: () => T[Name] | Promise<T[Name]> }): Promise<T> => {
  const values: Partial<T> = {};
  const faults = new Map<string, string>();
  for (const name of Object.keys(fields) as (keyof T & string)[])
    try {
      values[name] = await faultOf(name, fields[name]);
    } catch (error) {
      if (!(error instanceof FormFault)) throw error;
      for (const [at, message] of error.faults) faults.set(at, message);
    }
  if (faults.size > 0) throw new FormFault(faults);
  return values as T;
};

export interface Labelled {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
}

/** The error message of a field, which `aria-describedby` names. */
export const faultAt = (faults: Faults, name: string): Html | undefined =>
  faults.has(name) ? html`<span class="fault" id="${name}-fault">${faults.get(name)}</span>` : undefined;

/** A labelled control. `attributes` link it to its hint and error. The first invalid control has the focus. */
export const formField = (faults: Faults, { name, label, hint }: Labelled, control: (attributes: Html) => Html): Html => {
  const fault = faultAt(faults, name);
  const notes = [hint && `${name}-hint`, fault && `${name}-fault`].filter(Boolean).join(' ');
  const isFirst = faults.keys().next().value === name;
  const attributes = html`${notes && html` aria-describedby="${notes}"`}${fault && html` aria-invalid="true"`}${isFirst && html` autofocus`}`;
  return field(label, control(attributes), hint && html`<span id="${name}-hint">${hint}</span>`, fault);
};

/** The message above an invalid form. */
export const refusal = ({ size }: Faults): Html | undefined =>
  size === 0
    ? undefined
    : html`<p class="notice bad" role="alert">Nothing was changed: ${size === 1 ? 'a field needs' : `${size} fields need`} another look.</p>`;

export const noFaults: Faults = new Map();

/** Executes a form, or shows it again with its errors. */
export const orShowErrors =
  (work: Page, again: (visit: Visit, faults: Faults) => Promise<Screen>): Page =>
  async (visit) => {
    try {
      return await work(visit);
    } catch (error) {
      if (error instanceof FormFault) return again(visit, error.faults);
      throw error;
    }
  };
