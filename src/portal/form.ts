/** Forms that say what is wrong with each field at the field, and keep what was typed. */
import { OperatorError } from '../errors.ts';
import { field } from '../pages/elements.ts';
import { type Html, html } from '../pages/html.ts';
import type { Page, Visit } from './context.ts';
import type { Screen } from './layout.ts';

/** What is wrong with a form, by the name of the field. */
export type Faults = ReadonlyMap<string, string>;

export class FormFault extends OperatorError {
  readonly faults: Faults;

  constructor(faults: Faults) {
    super([...faults.values()].join(' '));
    this.faults = faults;
  }
}

/** Runs a step; what it refuses is the fault of the named field, unless the refusal is of a kind of its own. */
export const faultOf = async <T>(name: string, step: () => T | Promise<T>): Promise<T> => {
  try {
    return await step();
  } catch (error) {
    if (error instanceof OperatorError && error.constructor === OperatorError) throw new FormFault(new Map([[name, error.message]]));
    throw error;
  }
};

/** Reads fields by their names. Throws one `FormFault` for all that are refused. */
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

/** The message at a field, which `aria-describedby` names. */
export const faultAt = (faults: Faults, name: string): Html | undefined =>
  faults.has(name) ? html`<span class="fault" id="${name}-fault">${faults.get(name)}</span>` : undefined;

/** A labelled control, told by `attributes` where its hint and its fault stand; the first that is wrong has the focus. */
export const formField = (faults: Faults, { name, label, hint }: Labelled, control: (attributes: Html) => Html): Html => {
  const fault = faultAt(faults, name);
  const notes = [hint && `${name}-hint`, fault && `${name}-fault`].filter(Boolean).join(' ');
  const isFirst = faults.keys().next().value === name;
  const attributes = html`${notes && html` aria-describedby="${notes}"`}${fault && html` aria-invalid="true"`}${isFirst && html` autofocus`}`;
  return field(label, control(attributes), hint && html`<span id="${name}-hint">${hint}</span>`, fault);
};

/** Above a form that was refused. */
export const refusal = ({ size }: Faults): Html | undefined =>
  size === 0
    ? undefined
    : html`<p class="notice bad" role="alert">Nothing was changed: ${size === 1 ? 'a field needs' : `${size} fields need`} another look.</p>`;

export const noFaults: Faults = new Map();

/** Does what a form asks for, or shows the form again with what is wrong with it. */
export const orAgain =
  (work: Page, again: (visit: Visit, faults: Faults) => Promise<Screen>): Page =>
  async (visit) => {
    try {
      return await work(visit);
    } catch (error) {
      if (error instanceof FormFault) return again(visit, error.faults);
      throw error;
    }
  };
