/** Runs the command line in processes. The tests' global setup builds it once for a run. */
import { type ChildProcess, execFile, execFileSync, type StdioOptions, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../../bin/estate.js', import.meta.url));

/** In production mode the program runs the build without a check of the sources. Tests need no warm process. */
const withDefaults = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  WARM_UP_MS: '0',
  ...environment,
  NODE_ENV: 'production',
});

export const buildProgram = (): void => void execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' });

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

/** Runs a command to its end. */
export const runEstate = (line: readonly string[], environment: NodeJS.ProcessEnv, input = ''): Promise<ProcessResult> =>
  new Promise((resolve) => {
    const child = execFile(program, line, { env: withDefaults(environment) }, (error, out, err) =>
      resolve({ code: error ? Number(error.code) : 0, out, err }),
    );
    child.stdin?.on('error', () => {}).end(input);
  });
