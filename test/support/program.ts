/** Runs the command line in processes and threads. The tests' global setup builds it once for a run. */
import { type ChildProcess, execFile, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';

const program = fileURLToPath(new URL('../../bin/estate.js', import.meta.url));
const bundle = new URL('../../dist/main.js', import.meta.url);

/** In production mode the program runs the build without a check of the sources. Tests need no warm process. */
const withDefaults = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  WARM_UP_MS: '0',
  ...environment,
  NODE_ENV: 'production',
});

export const buildProgram = async (): Promise<void> => {
  const [code] = await once(spawn('npm', ['run', '--silent', 'build'], { stdio: 'inherit' }), 'exit');
  if (code !== 0) throw new Error('the build failed');
};

/** Starts a command. Its environment contains only the system's path and the given variables. */
export const startEstate = (
  line: readonly string[],
  environment: NodeJS.ProcessEnv,
  stdio: StdioOptions = ['ignore', 'pipe', 'pipe'],
): ChildProcess => spawn(program, line, { env: withDefaults(environment), stdio });

export interface ProcessResult {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command in a process to its end. */
export const runEstate = (line: readonly string[], environment: NodeJS.ProcessEnv, input = ''): Promise<ProcessResult> =>
  new Promise((resolve) => {
    const child = execFile(program, line, { env: withDefaults(environment) }, (error, out, err) =>
      resolve({ code: error ? Number(error.code) : 0, out, err }),
    );
    child.stdin?.on('error', () => {}).end(input);
  });

/** Compiled code is shared between threads as long as one of them holds it. */
let compiledDatabase: Promise<WebAssembly.Module> | undefined;
const compileDatabase = async (): Promise<WebAssembly.Module> =>
  WebAssembly.compile(new Uint8Array(await readFile(new URL('pglite.wasm', import.meta.resolve('@electric-sql/pglite')))));

/**
 * Runs the program in a thread to its end, with its own environment, streams and exit code. The thread shares the compiled embedded
 * database with the tests, which halves the time of a command. Tests of processes, signals or locks use a process.
 */
export const runEstateInThread = async (line: readonly string[], environment: NodeJS.ProcessEnv): Promise<ProcessResult> => {
  compiledDatabase ??= compileDatabase();
  await compiledDatabase;
  const thread = new Worker(bundle, {
    argv: [...line],
    env: withDefaults(environment),
    execArgv: [],
    stdin: true,
    stdout: true,
    stderr: true,
  });
  thread.stdin?.end();
  const [[code], out, err] = await Promise.all([once(thread, 'exit') as Promise<[number]>, text(thread.stdout), text(thread.stderr)]);
  return { code, out, err };
};
