/** The labels of coded values as JSON, in the language that each field asks for. */
import type { LabelLanguage, LookupName } from '../../catalogue/lookups.ts';
import { type Code, labelIn } from '../../execute/lookup.ts';
import { type ByteLiteral, byteLiteral } from '../../wire/words.ts';
import type { Arguments } from '../selection/fields.ts';
import type { RowField } from '../selection/selection.ts';

type LabelField = Extract<RowField, { is: 'label' }>;

export class CodeLabels {
  readonly #codes: ReadonlyMap<LookupName, readonly Code[]>;
  readonly #variables: Arguments;
  readonly #byField = new Map<LabelField, ReadonlyMap<string, ByteLiteral>>();

  /** The codes of all lists that the fields need, and the variables of the request. */
  constructor(codes: ReadonlyMap<LookupName, readonly Code[]>, variables: Arguments) {
    this.#codes = codes;
    this.#variables = variables;
  }

  /** The label of a code in a field; undefined for a code that has none. */
  of(field: LabelField, code: string): ByteLiteral | undefined {
    const known = this.#byField.get(field) ?? this.#literalsOf(field);
    return known.get(code);
  }

  #literalsOf(field: LabelField): ReadonlyMap<string, ByteLiteral> {
    const { language } = field.argumentsOf(this.#variables) as { readonly language?: LabelLanguage | null };
    const codes = this.#codes.get(field.lookup) ?? [];
    const literals = new Map(codes.map((code) => [code.value, byteLiteral(JSON.stringify(labelIn(code, language ?? undefined)))]));
    this.#byField.set(field, literals);
    return literals;
  }
}
