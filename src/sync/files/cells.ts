/** The values of a file as its reader gives them. */

/** A value that its format writes in the plain form of a load: a number with its exact digits, or a time in ISO 8601. */
export class PlainText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }

  toJSON(): string {
    return this.text;
  }
}

/** A value of an export: text, or a typed value of a format that has types. */
export type PlainCell = string | number | bigint | boolean | Date | PlainText | null;
