/** HTTP as bytes on a socket: requests are sent unchanged, and responses are read to the end. */
import net from 'node:net';

export interface WireAnswer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

const endOfHead = '\r\n\r\n';

/** A complete body, by its length or in chunks. */
const takeBody = (text: string, headers: ReadonlyMap<string, string>): { body: string; rest: string } | undefined => {
  if (headers.get('transfer-encoding') === 'chunked') {
    const end = text.indexOf('0\r\n\r\n');
    return end < 0 ? undefined : { body: text.slice(0, end).replaceAll(/(?:^|\r\n)[0-9a-f]+\r\n|\r\n$/g, ''), rest: text.slice(end + 5) };
  }
  const length = Number(headers.get('content-length') ?? Number.NaN);
  return text.length >= length ? { body: text.slice(0, length), rest: text.slice(length) } : undefined;
};

/** The first complete response in `text` and the rest; undefined while it is incomplete. */
const takeAnswer = (text: string, isHead: boolean): { answer: WireAnswer; rest: string } | undefined => {
  const end = text.indexOf(endOfHead);
  if (end < 0) return undefined;
  const [statusLine = '', ...lines] = text.slice(0, end).split('\r\n');
  const headers = new Map(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()] as const),
  );
  const start = end + endOfHead.length;
  const status = Number(statusLine.split(' ')[1]);
  const hasBody = !isHead && status >= 200 && status !== 204 && status !== 304;
  const taken = hasBody ? takeBody(text.slice(start), headers) : { body: '', rest: text.slice(start) };
  return taken && { answer: { status, headers, body: Buffer.from(taken.body, 'latin1').toString() }, rest: taken.rest };
};

/**
 * Sends bytes and returns the responses: the expected number, or all until the server closes. Rejects after a timeout. `isHead` says whether
 * the response at an index belongs to a HEAD request; by default, all requests are like the first.
 */
export const exchange = (
  port: number,
  bytes: string | readonly string[],
  expected = 1,
  isHead?: (index: number) => boolean,
): Promise<WireAnswer[]> =>
  new Promise((resolve, reject) => {
    const all = typeof bytes === 'string' ? bytes : bytes.join('');
    const takeNext = () => takeAnswer(text, isHead ? isHead(answers.length) : all.startsWith('HEAD '));
    const answers: WireAnswer[] = [];
    let text = '';
    const socket = net.connect(port, '127.0.0.1');
    const deadline = setTimeout(() => {
      socket.destroy();
      reject(new Error(`No answer to ${JSON.stringify(all.slice(0, 300))}, only ${JSON.stringify(text)}`));
    }, 15_000);
    const finish = () => {
      clearTimeout(deadline);
      socket.destroy();
      resolve(answers);
    };
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      for (let taken = takeNext(); taken; taken = takeNext()) {
        answers.push(taken.answer);
        text = taken.rest;
      }
      if (answers.filter(({ status }) => status >= 200).length >= expected) finish();
    });
    socket.on('close', finish);
    // The server may have responded and closed before everything was sent.
    socket.on('error', () => {});
    for (const part of typeof bytes === 'string' ? [bytes] : bytes) socket.write(part, 'latin1');
  });
