/**
 * Formulas without a stored value in a workbook of the format .xlsx, found in its XML. The library reads them as 0, like a stored zero.
 * Report generators write formulas without computing them.
 */
const sheetPath = /^xl\/worksheets\/[^/]+\.xml$/;
const relationsPath = 'xl/_rels/workbook.xml.rels';
const cell = /<(?:\w+:)?c\b([^>]*[^/])>(.*?)<\/(?:\w+:)?c>/gs;
const formula = /<(?:\w+:)?f[\s/>]/;
const storedValue = /<(?:\w+:)?v(?:\s[^>]*)?>[^<]/;

export class FormulaScan {
  readonly #found = new Map<string, Set<string>>();
  #relations = '';
  #path = '';
  #rest = '';

  /** Sees the next bytes of a file of the archive. */
  readonly see = (path: string, chunk: Buffer): void => {
    if (path === relationsPath) this.#relations += chunk.toString('utf8');
    if (!sheetPath.test(path)) return;
    if (path !== this.#path) this.#rest = '';
    this.#path = path;
    const text = this.#rest + chunk.toString('latin1');
    const end = text.lastIndexOf('c>') + 2;
    this.#rest = end < 2 ? text : text.slice(end);
    const whole = text.slice(0, end);
    if (!formula.test(whole)) return;
    for (const [, attributes = '', content = ''] of whole.matchAll(cell)) {
      if (!formula.test(content) || storedValue.test(content)) continue;
      const reference = /\br="([A-Z]+\d+)"/.exec(attributes)?.[1];
      if (reference === undefined) continue;
      const known = this.#found.get(path) ?? new Set();
      this.#found.set(path, known.add(reference));
    }
  };

  /** The cells of the sheet with this relation. */
  cellsOf(relation: string | undefined): ReadonlySet<string> {
    for (const [element] of this.#relations.matchAll(/<(?:\w+:)?Relationship\b[^>]*>/g)) {
      if (/\bId="([^"]*)"/.exec(element)?.[1] !== relation) continue;
      const target = /\bTarget="([^"]*)"/.exec(element)?.[1] ?? '';
      return this.#found.get(target.startsWith('/') ? target.slice(1) : `xl/${target}`) ?? new Set();
    }
    return new Set();
  }
}
