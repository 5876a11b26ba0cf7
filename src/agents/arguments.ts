/** Translates the arguments of a tool into the query string that REST has for the same question. So both have the same rules and errors. */
import { integerPattern } from '../catalogue/kinds.ts';
import type { Table } from '../catalogue/table.ts';
import { ApiError } from '../errors.ts';
import { firstNames, listOfNames, ParameterErrors, validationMessage, validationTexts } from '../plan/validation-errors.ts';
import type { Bounds } from '../query/parameters.ts';

export type ToolArguments = Readonly<Record<string, unknown>>;

const texts = {
  noText: 'Input should be a text, a number or a boolean',
  noTextList: 'Input should be a text or a list of texts',
  noObject: 'Input should be an object of columns and values',
  noBoolean: 'Input should be true or false',
} as const;

const isValue = (value: unknown): value is string | number | boolean => ['string', 'number', 'boolean'].includes(typeof value);

const unknownNames = (names: readonly string[], known: readonly string[]): string =>
  `${firstNames(names)} unknown; there is: ${listOfNames(known)}`;

/** Throws 422 for an argument that the tool does not have. */
export const checkNames = (given: ToolArguments, known: readonly string[]): void => {
  const unknown = Object.keys(given).filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new ApiError('invalidParameter', validationMessage('arguments', unknownNames(unknown, known)));
};

/** The name of the table that a tool asks for. Throws 422 if it is not a text. */
export const tableArgument = ({ table }: ToolArguments): string => {
  if (typeof table === 'string') return table;
  throw new ApiError('invalidParameter', validationMessage('table', table === undefined ? validationTexts.missing : texts.noText));
};

/** Collects parameters from arguments, and their errors. */
export class QueryBuilder {
  readonly query = new URLSearchParams();
  readonly errors = new ParameterErrors();
  readonly #given: ToolArguments;

  constructor(given: ToolArguments) {
    this.#given = given;
  }

  /** Single values, such as `cursor`. */
  values(...names: readonly string[]): this {
    for (const name of names) {
      const value = this.#given[name];
      if (value === undefined || value === null) continue;
      if (isValue(value)) this.query.set(name, String(value));
      else this.errors.add(name, texts.noText);
    }
    return this;
  }

  /** Lists of texts. Each text is a parameter of its own, because it may contain commas. */
  lists(...names: readonly string[]): this {
    for (const name of names) {
      const value = this.#given[name];
      if (value === undefined || value === null) continue;
      const items = Array.isArray(value) ? value : [value];
      if (items.every((item) => typeof item === 'string')) for (const item of items) this.query.append(name, item);
      else this.errors.add(name, texts.noTextList);
    }
    return this;
  }

  /** A parameter without a value that is present or absent. */
  flag(name: string): this {
    const value = this.#given[name];
    if (value === true) this.query.set(name, '');
    else if (value !== undefined && value !== null && value !== false) this.errors.add(name, texts.noBoolean);
    return this;
  }

  /** The limit. A tool returns fewer rows at once than REST. */
  limit({ defaultValue, max }: Pick<Bounds, 'defaultValue' | 'max'>): this {
    this.values('limit');
    const text = this.query.get('limit');
    if (text === null) this.query.set('limit', String(defaultValue));
    else if (integerPattern.test(text) && Number(text) > max) this.errors.add('limit', validationTexts.above(max));
    return this;
  }

  /** Filters, which are columns of the table. An unknown one is an error, because an answer without regard to it would be wrong. */
  filters(table: Pick<Table, 'columns'>): this {
    // Strict clients send null for an argument that they leave out.
    const filters = this.#given.filters ?? {};
    if (typeof filters !== 'object' || Array.isArray(filters)) {
      this.errors.add('filters', texts.noObject);
      return this;
    }
    const unknown = Object.keys(filters).filter((name) => !Object.hasOwn(table.columns, name));
    if (unknown.length > 0) this.errors.add('filters', unknownNames(unknown, Object.keys(table.columns)));
    for (const [name, value] of Object.entries(filters))
      if (isValue(value)) this.query.set(name, String(value));
      else this.errors.add(name, texts.noText);
    return this;
  }

  /** The query string. Throws 422 with all errors. */
  build(): URLSearchParams {
    this.errors.throwIfAny();
    return this.query;
  }
}
