/**
 * A client with little overhead, so that the benchmark measures the server. It uses one persistent connection, one request at a time, and
 * request bytes that are prepared in advance. It finds the end of a response and stores the body only on demand.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface HttpRequest {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The expected status; 200 by default. */
  readonly status?: number;
}

export interface HttpResponse {
  /** Status line and headers. */
  readonly head: string;
  /** Milliseconds until the first byte of the body. */
  readonly firstByte: number;
  readonly milliseconds: number;
}

/** A response. Throws if its status is another, because the time of a refusal is no figure. */
export const fetchAnswer = async (url: string, init: RequestInit = {}, ...statuses: readonly number[]): Promise<Response> => {
  const response = await fetch(url, init);
  const expected = statuses.length > 0 ? statuses : [200];
  if (expected.includes(response.status)) return response;
  throw new Error(`${new URL(url).pathname} is answered ${response.status}: ${(await response.text()).slice(0, 500)}`);
};

/** A GraphQL answer can be a 200 with errors. */
const graphqlErrors = Buffer.from('"errors":[');
const isGraphql = (path: string): boolean => path.startsWith('/graphql');

/** The body of a response, to compare servers. */
export const bodyOf = async (
  { url }: { readonly url: string },
  { method = 'GET', path, headers = {}, body, status = 200 }: HttpRequest,
): Promise<string> => {
  const text = await (await fetchAnswer(url + path, { method, headers, ...(body !== undefined && { body }) }, status)).text();
  if (isGraphql(path) && text.includes(String(graphqlErrors))) throw new Error(`${path} has errors: ${text.slice(0, 500)}`);
  return text;
};

const bytesOf = (host: string, { method = 'GET', path, headers = {}, body }: HttpRequest): Buffer => {
  const all = { Host: host, ...headers, ...(body !== undefined && { 'Content-Length': String(Buffer.byteLength(body)) }) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`);
};

const lastChunk = Buffer.from('0\r\n\r\n');

/** The last bytes of a response, independent of its chunks. */
const endOf = (before: Buffer, bytes: Buffer): Buffer =>
  bytes.length < lastChunk.length ? Buffer.concat([before, bytes]).subarray(-lastChunk.length) : bytes.subarray(-lastChunk.length);

export class Client {
  readonly #socket: Socket;
  readonly #host: string;
  readonly #requests = new WeakMap<HttpRequest, Buffer>();

  private constructor(socket: Socket, host: string) {
    this.#socket = socket.setNoDelay();
    this.#host = host;
  }

  static async to(url: string): Promise<Client> {
    const { hostname, port, host } = new URL(url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    return new Client(socket, host);
  }

  /** Sends a request and reads the complete response. Throws if the status differs from the expected one, or a GraphQL answer has errors. */
  ask(request: HttpRequest): Promise<HttpResponse> {
    const bytes = this.#requests.get(request) ?? bytesOf(this.#host, request);
    this.#requests.set(request, bytes);
    return new Promise((resolve, reject) => {
      const begun = performance.now();
      const socket = this.#socket;
      let [head, left, firstByte] = ['', 0, 0];
      const done = (error?: Error) => {
        socket.off('data', onData).off('close', onClose);
        if (error) reject(error);
        else resolve({ head, firstByte, milliseconds: performance.now() - begun });
      };
      const onClose = () => done(new Error(`${request.path}: the connection was closed`));
      const onHead = () => {
        const status = Number(head.slice(9, 12));
        if (status !== (request.status ?? 200)) done(new Error(`${request.path}: ${head}`));
        left = status === 304 ? 0 : Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? Number.NaN);
      };
      let beginning: Buffer | undefined;
      let end: Buffer = Buffer.alloc(0);
      const onData = (chunk: Buffer) => {
        let body = chunk;
        if (!head) {
          const all = beginning ? Buffer.concat([beginning, chunk]) : chunk;
          const endOfHead = all.indexOf('\r\n\r\n');
          if (endOfHead < 0) {
            beginning = all;
            return;
          }
          head = all.toString('latin1', 0, endOfHead);
          body = all.subarray(endOfHead + 4);
          onHead();
        }
        if (firstByte === 0 && body.length > 0) firstByte = performance.now() - begun;
        left -= body.length;
        if (isGraphql(request.path) && body.includes(graphqlErrors))
          done(new Error(`${request.path} has errors: ${body.toString('utf8', 0, 500)}`));
        end = endOf(end, body);
        // The JSON contains no line breaks, so these bytes mark the end of a chunked response.
        if (left === 0 || (Number.isNaN(left) && end.equals(lastChunk))) done();
      };
      socket.on('data', onData).on('close', onClose);
      if (socket.destroyed) onClose();
      else socket.write(bytes);
    });
  }

  close(): void {
    this.#socket.destroy();
  }
}
