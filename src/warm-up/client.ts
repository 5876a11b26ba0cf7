/** A client of this process's own server: one persistent connection, one request at a time. */
import { Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';

export interface WarmUpAnswer {
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

const documentHeaders = { 'Content-Type': 'application/json', Accept: 'application/json' };

export class Client {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #port: number;
  readonly #key: string;

  constructor(port: number, key: string) {
    this.#port = port;
    this.#key = key;
  }

  get(path: string, headers: OutgoingHttpHeaders = {}): Promise<WarmUpAnswer> {
    return this.#ask('GET', path, headers);
  }

  /** Sends a GraphQL document. */
  execute(document: unknown): Promise<WarmUpAnswer> {
    return this.#ask('POST', '/graphql', documentHeaders, JSON.stringify(document));
  }

  close(): void {
    this.#agent.destroy();
  }

  /** Throws if the service could not answer, for any reason. */
  #ask(method: string, path: string, headers: OutgoingHttpHeaders, body?: string): Promise<WarmUpAnswer> {
    const all = { ...headers, 'X-API-Key': this.#key };
    return new Promise((resolve, reject) => {
      const asked = request({ host: '127.0.0.1', port: this.#port, agent: this.#agent, method, path, headers: all }, (response) => {
        const { statusCode = 0, headers } = response;
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject);
        response.on('end', () => {
          if (statusCode >= 500) reject(new Error(`The service answered itself with ${statusCode}`));
          else resolve({ headers, text: Buffer.concat(chunks).toString() });
        });
      });
      asked.on('error', reject).end(body);
    });
  }
}
