/** Parses JSON without losing digits. A double turns `10.50` into 10.5 and cuts long numbers. */

/** A number with the digits of the response. */
export class Figure {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type Json = null | boolean | string | Figure | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: Json;
}

/** The prefix of numbers. No text of the database contains this character. */
const mark = '\0';

/** Throws if the text is not JSON. */
export const parseExact = (text: string): Json => {
  const marked = text.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) => (token.startsWith('"') ? token : `"\\u0000${token}"`));
  return JSON.parse(marked, (_key, value) => (typeof value === 'string' && value.startsWith(mark) ? new Figure(value.slice(1)) : value));
};

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Figure);
