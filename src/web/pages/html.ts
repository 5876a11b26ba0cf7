/** HTML as a tagged template that escapes every value except HTML itself. */

/** Safe markup. Only the template below creates it. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

type Value = Html | string | number | false | null | undefined | readonly Value[];

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escapeText = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? character);

const render = (value: Value): string => {
  if (value instanceof Html) return value.text;
  if (value === undefined || value === null || value === false) return '';
  return typeof value === 'object' ? value.map(render).join('') : escapeText(String(value));
};

/** Lists are joined; `undefined`, `null` and `false` produce nothing. Attribute values must be in double quotes. */
export const html = (parts: TemplateStringsArray, ...values: Value[]): Html =>
  new Html(parts.reduce((text, part, index) => text + render(values[index - 1]) + part));
