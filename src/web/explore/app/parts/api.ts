/** Requests to the service with the rights of the reader, and their answers as React state. */
import { useEffect, useState } from 'react';
import { request } from '../../../browser/client.ts';
import { type JsonObject, parseExact } from '../../../browser/exact.ts';
import { requestOf } from '../operator/reader.ts';
import { recordQuota } from './quota.tsx';

export class Failure extends Error {
  /** 0 if the service cannot be reached. */
  readonly status: number;
  readonly retryAfter: number;

  constructor(status: number, detail: string, retryAfter = 0) {
    super(detail);
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

export interface ReadRows {
  readonly rows: readonly JsonObject[];
  /** All rows or groups that match. */
  readonly total: number;
  /** The parameter of the next page; undefined if nothing follows. */
  readonly next: readonly [name: string, value: string] | undefined;
}

const failureOf = async (response: Response): Promise<Failure> => {
  const problem: { detail?: string } = await response.json().catch(() => ({}));
  return new Failure(response.status, problem.detail ?? response.statusText, Number(response.headers.get('Retry-After') ?? 0));
};

/** Sends a GET. Throws `Failure`. */
export const send = async (path: string, { signal, accept = 'application/json' }: SendOptions = {}): Promise<Response> => {
  const [address, key] = requestOf(path);
  const response = await request(address, { key, headers: { Accept: accept }, ...(signal && { signal }) }).catch((error: unknown) => {
    throw signal?.aborted ? error : new Failure(0, String(error));
  });
  recordQuota(response.headers);
  if (!response.ok) throw await failureOf(response);
  return response;
};

interface SendOptions {
  readonly signal?: AbortSignal;
  readonly accept?: string;
}

const nextOf = (headers: Headers): ReadRows['next'] => {
  if (headers.get('X-Has-More') !== 'true') return undefined;
  const [cursor, offset] = [headers.get('X-Next-Cursor'), headers.get('X-Next-Offset')];
  if (cursor) return ['cursor', cursor];
  return offset ? ['offset', offset] : undefined;
};

/** The rows or groups of an address, with the digits of the answer. */
export const ask = async (path: string, signal?: AbortSignal): Promise<ReadRows> => {
  const response = await send(path, signal ? { signal } : {});
  const rows = parseExact(await response.text()) as readonly JsonObject[];
  return { rows, total: Number(response.headers.get('X-Total-Count') ?? rows.length), next: nextOf(response.headers) };
};

interface Asked<T> {
  /** The last answer, also while the next one is read. */
  readonly answer: T | undefined;
  readonly failure: Failure | undefined;
  readonly isLoading: boolean;
  readonly retry: () => void;
}

/** The answer to an address, read again when it changes. Nothing is read without an address. */
export const useRead = <T>(path: string | undefined, read: (path: string, signal: AbortSignal) => Promise<T>): Asked<T> => {
  const [state, setState] = useState<{ readonly path?: string | undefined; readonly answer?: T; readonly failure?: Failure }>({});
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt reads the same address again
  useEffect(() => {
    if (path === undefined) return;
    const controller = new AbortController();
    read(path, controller.signal).then(
      (answer) => setState({ path, answer }),
      (error: unknown) => {
        if (controller.signal.aborted) return;
        const failure = error instanceof Failure ? error : new Failure(0, String(error));
        setState(({ answer }) => ({ path, failure, ...(answer === undefined ? {} : { answer }) }));
      },
    );
    return () => controller.abort();
  }, [path, read, attempt]);
  const isCurrent = state.path === path;
  return {
    answer: path === undefined ? undefined : state.answer,
    failure: isCurrent ? state.failure : undefined,
    isLoading: path !== undefined && !isCurrent,
    retry: () => {
      setState(({ answer }) => (answer === undefined ? {} : { answer }));
      setAttempt((count) => count + 1);
    },
  };
};

export const useAnswer = (path: string | undefined): Asked<ReadRows> => useRead(path, ask);
