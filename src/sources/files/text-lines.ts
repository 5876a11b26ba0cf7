/** Lines of text. They end with a line feed only: readline also splits at U+2028, and it ends silently if its input fails. */

/** The lines of a text, without their ends. */
export async function* textLines(text: AsyncIterable<string | Buffer>): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of text) {
    const lines = (rest + String(chunk)).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}
