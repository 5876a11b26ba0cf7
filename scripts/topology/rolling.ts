/** Requests at a fixed rate, and consecutive exports. None may be lost while the instances restart. */
import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

export interface Load {
  /** Ends the load and returns its result. */
  stop(): Promise<Result>;
}

export interface Result {
  readonly requests: number;
  readonly exports: number;
  /** The responses other than a complete 200, in words. */
  readonly lost: readonly string[];
  readonly slowestMs: number;
  readonly seconds: number;
}

const exportsAtOnce = 2;
/** The delay between two parts of an export, so that it is in flight when an instance stops. */
const pieceMs = 20;

/** Sends small pages at a fixed rate, and pages of 100,000 rows, whatever their outcome. */
export const startLoad = (url: string, key: string, perSecond: number): Load => {
  const lost: string[] = [];
  const underWay = new Set<Promise<void>>();
  const startedAt = performance.now();
  let isOver = false;
  let requests = 0;
  let exports = 0;
  let slowestMs = 0;

  // Connections are persistent, as in most clients. `fetch` would take more CPU time than the service.
  const agent = new Agent({ keepAlive: true, maxSockets: 100 });
  /** A response whose JSON is not closed is incomplete, whatever its status is. */
  const ask = async (path: string, betweenMs = 0): Promise<void> => {
    try {
      const request = get(`${url}${path}`, { agent, headers: { 'X-API-Key': key } });
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      let last = '';
      for await (const piece of response) {
        last = piece.toString('latin1', Math.max(0, piece.length - 200));
        if (betweenMs > 0) await pause(betweenMs);
      }
      if (response.statusCode !== 200 || !/[\]}]\s*$/.test(last)) lost.push(`${path}: ${response.statusCode} ${last}`);
    } catch (error) {
      lost.push(`${path}: ${error}`);
    }
  };
  const send = (): void => {
    requests++;
    const askedAt = performance.now();
    const answer = ask(`/operations/orders?limit=5&offset=${requests % 100}`).finally(() => {
      slowestMs = Math.max(slowestMs, performance.now() - askedAt);
      underWay.delete(answer);
    });
    underWay.add(answer);
  };
  const sending = (async () => {
    while (!isOver) {
      const due = Math.floor(((performance.now() - startedAt) / 1_000) * perSecond);
      while (requests < due) send();
      await pause(5);
    }
  })();
  const exporting = Array.from({ length: exportsAtOnce }, async () => {
    for (; !isOver; exports++) await ask('/raw/order_hdr?limit=100000', pieceMs);
  });

  return {
    stop: async () => {
      isOver = true;
      const seconds = (performance.now() - startedAt) / 1_000;
      await Promise.all([sending, ...exporting]);
      await Promise.all(underWay);
      agent.destroy();
      return { requests, exports, lost, slowestMs, seconds };
    },
  };
};
