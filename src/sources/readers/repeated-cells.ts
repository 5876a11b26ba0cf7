/** Counts the cells of an .ods workbook, whose XML states how often a row or a cell repeats: a few bytes can be a million cells. */
const contentPath = 'content.xml';
const tag = /<table:(table-row|table-cell|covered-table-cell)\b([^>]*)>/g;
const numberIn = (attributes: string, name: string): number => Number(new RegExp(`${name}="(\\d+)"`).exec(attributes)?.[1] ?? 1);

export class RepeatedCells {
  #rest = '';
  #rows = 1;
  #count = 0;

  /** The cells with a value so far. */
  get count(): number {
    return this.#count;
  }

  /** Sees the next bytes of a file of the archive. */
  readonly see = (path: string, chunk: Buffer): void => {
    if (path !== contentPath) return;
    const text = this.#rest + chunk.toString('latin1');
    const end = text.lastIndexOf('>') + 1;
    this.#rest = text.slice(end);
    for (const [, element, attributes = ''] of text.slice(0, end).matchAll(tag)) {
      if (element === 'table-row') this.#rows = numberIn(attributes, 'number-rows-repeated');
      else if (attributes.includes('value-type=')) this.#count += this.#rows * numberIn(attributes, 'number-columns-repeated');
    }
  };
}
