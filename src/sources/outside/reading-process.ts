/**
 * A process that reads files for the service (`child.ts`). The system bounds its CPU time and address space, Node bounds its heap and what it may
 * read, and the service bounds its memory and the whole time. Its environment is empty. What ends it is a refusal of the files.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { OperatorError } from '../../errors.ts';
import { scriptText } from '../../script-text.ts';
import { textLines } from '../../sync/files/text.ts';
import { outsideLimits } from './limits.ts';
import type { Answers, Reply, Request } from './protocol.ts';

export type ReadingLimits = Pick<typeof outsideLimits, 'heapMegabytes' | 'memoryMegabytes' | 'seconds' | 'quietSeconds'>;
type Numbers<T> = { readonly [Name in keyof T]: number };

const entry = 'src/sources/outside/child.ts';

/** The flag has another name before Node 22.13. */
const permission = process.allowedNodeEnvironmentFlags.has('--permission') ? '--permission' : '--experimental-permission';

/**
 * Limits of the system: no core dump, CPU time, and address space. WebAssembly and V8 reserve much more address space than they use. The
 * process has the lowest priority from its start, because requests come first.
 */
const limited = 'ulimit -c 0; ulimit -H -t "$1"; ulimit -S -t "$2"; ulimit -v "$3"; shift 3; exec nice -n 19 "$@"';
const addressSpaceKb = 32 * 2 ** 20;

const start = (folder: string, { heapMegabytes, seconds }: Numbers<ReadingLimits>): ChildProcess => {
  const node = [
    process.execPath,
    permission,
    `--allow-fs-read=${folder}/*`,
    `--max-old-space-size=${heapMegabytes}`,
    '--disable-warning=ExperimentalWarning',
    '--input-type=commonjs',
    '-',
  ];
  const child = spawn(
    '/bin/sh',
    ['-c', limited, 'sh', String(Math.ceil(seconds) + 5), String(Math.ceil(seconds)), String(addressSpaceKb), ...node],
    {
      cwd: folder,
      env: {},
      stdio: ['pipe', 'pipe', 'ignore', 'pipe'],
    },
  );
  // A process that ends early does not read its script.
  child.stdin?.on('error', () => {});
  child.stdin?.end(scriptText(entry));
  return child;
};

/** The memory of a process in megabytes; 0 if the system does not say it. */
const memoryOf = (pid: number | undefined): number => {
  try {
    const [, pages = 0] = readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ').map(Number);
    return (pages * 4_096) / 2 ** 20;
  } catch {
    return 0;
  }
};

const watchMs = 100;

/** A reply; undefined for a line that is cut off, because the process was ended while it wrote. */
const replyOf = (line: string): Reply | undefined => {
  try {
    return JSON.parse(line) as Reply;
  } catch {
    return undefined;
  }
};

export class ReadingProcess {
  readonly #child: ChildProcess;
  readonly #limits: Numbers<ReadingLimits>;
  readonly #lines: AsyncGenerator<string>;
  readonly #ended: Promise<void>;
  readonly #timer: NodeJS.Timeout;
  readonly #signal: AbortSignal | undefined;
  /** Why the service ended the process. */
  #reason: Error | undefined;
  #waitingSince: number | undefined;
  /** The time in milliseconds that the service has waited for replies. */
  #waited = 0;

  /** Starts the process. It may read `folder`, which is also its working directory. `signal` ends it. */
  constructor(folder: string, signal?: AbortSignal, limits: Numbers<ReadingLimits> = outsideLimits) {
    this.#limits = limits;
    this.#signal = signal;
    this.#child = start(folder, limits);
    this.#lines = textLines(this.#child.stdout as Readable);
    this.#ended = new Promise((resolve) => {
      this.#child.once('close', () => resolve());
      this.#child.once('error', () => resolve());
    });
    (this.#child.stdio[3] as Writable).on('error', () => {});
    this.#timer = setInterval(() => this.#watch(), watchMs).unref();
    if (signal?.aborted) this.#abort();
    else signal?.addEventListener('abort', this.#abort, { once: true });
  }

  readonly #abort = (): void => {
    this.#reason ??= (this.#signal?.reason as Error | undefined) ?? new OperatorError('cancelled');
    this.#child.kill('SIGKILL');
  };

  #end(what: string): void {
    this.#reason ??= new OperatorError(`${what}, so it was ended. Deliver smaller files, or load them on the command line.`);
    this.#child.kill('SIGKILL');
  }

  #watch(): void {
    const { memoryMegabytes, quietSeconds, seconds } = this.#limits;
    if (memoryOf(this.#child.pid) > memoryMegabytes) this.#end(`Reading the files took more than ${memoryMegabytes} MB of memory`);
    if (this.#waitingSince === undefined) return;
    const waiting = performance.now() - this.#waitingSince;
    if (waiting > quietSeconds * 1_000) this.#end(`Reading the files made no progress for ${quietSeconds} seconds`);
    else if (this.#waited + waiting > seconds * 1_000) this.#end(`Reading the files took more than ${seconds} seconds`);
  }

  /** The error of a process that ended without an answer. */
  async #failure(): Promise<Error> {
    await this.#ended;
    if (this.#reason) return this.#reason;
    const { exitCode, signalCode } = this.#child;
    const { seconds, heapMegabytes } = this.#limits;
    const isMemory = signalCode === 'SIGABRT' || exitCode === 134 || signalCode === 'SIGTRAP' || signalCode === 'SIGILL';
    const what = isMemory
      ? `Reading the files took more than ${heapMegabytes} MB of memory`
      : signalCode === 'SIGXCPU'
        ? `Reading the files took more than ${seconds} seconds`
        : 'The process that reads the files ended';
    return new OperatorError(`${what}, so nothing was read. Deliver smaller files, or load them on the command line.`);
  }

  /** The next reply. The time of the service between two replies does not count as quiet. */
  async #next(): Promise<Reply> {
    this.#waitingSince = performance.now();
    try {
      const { value, done } = await this.#lines.next();
      const reply = done ? undefined : replyOf(value);
      if (!reply) throw await this.#failure();
      return reply;
    } finally {
      this.#waited += performance.now() - this.#waitingSince;
      this.#waitingSince = undefined;
    }
  }

  /** Sends a request. Gives its parts, and returns its end. Throws an `OperatorError` if the files are refused. */
  async *ask<Do extends keyof Answers>(request: Extract<Request, { do: Do }>): AsyncGenerator<Answers[Do]['part'], Answers[Do]['end']> {
    if (this.#reason) throw this.#reason;
    (this.#child.stdio[3] as Writable).write(`${JSON.stringify(request)}\n`);
    let isOpen = true;
    try {
      for (;;) {
        const reply = await this.#next();
        if ('part' in reply) {
          yield reply.part as Answers[Do]['part'];
          continue;
        }
        isOpen = false;
        if ('end' in reply) return reply.end as Answers[Do]['end'];
        throw new OperatorError(
          'refused' in reply ? reply.refused : `The files cannot be read: an unexpected error occurred (${reply.failed}).`,
        );
      }
    } finally {
      // The next answer follows on the same stream.
      while (isOpen && !this.#reason)
        isOpen = await this.#next().then(
          (reply) => 'part' in reply,
          () => false,
        );
    }
  }

  /** The end of an answer without parts. */
  async answer<Do extends keyof Answers>(request: Extract<Request, { do: Do }>): Promise<Answers[Do]['end']> {
    const { value } = await this.ask<Do>(request).next();
    return value as Answers[Do]['end'];
  }

  /** Ends the process. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#signal?.removeEventListener('abort', this.#abort);
    this.#reason ??= new OperatorError('The reading has ended.');
    this.#child.kill('SIGKILL');
    await this.#ended;
  }
}
