/**
 * The entry point of the command line. It prints one clear line for each failure and sets the exit code (contract: commands; command
 * output).
 */
import { CommanderError } from 'commander';
import { paint } from './cli/colour.ts';
import { createProgram } from './cli/program.ts';
import { writeText } from './cli/terminal.ts';
import { OperatorError } from './errors.ts';

const exitCodes = { failed: 1, usage: 2 } as const;

try {
  await createProgram().parseAsync();
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : exitCodes.usage;
  else {
    const reason = error instanceof OperatorError ? error.message : describe(error);
    writeText(process.stderr, `${paint('red', 'estate:', process.stderr)} ${reason}\n`);
    process.exitCode = exitCodes.failed;
  }
}

/** One line for an unexpected failure. A refused connection has its reason in `errors`. */
function describe(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return describe(error.errors[0]);
  return error instanceof Error ? error.message || error.name : String(error);
}
