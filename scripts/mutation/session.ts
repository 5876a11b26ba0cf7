/** One Vitest process that runs test files repeatedly, each time with another mutant in place of its source file. */
import { join } from 'node:path';
import { createVitest, type Vitest } from 'vitest/node';
import config from '../../vitest.config.ts';
import { applied, type Mutant } from './mutants.ts';

/** Replaces a source file by a mutant, or restores it. */
type Change = (file: string, mutant: Mutant | undefined) => void;

const root = join(import.meta.dirname, '../..');

export const isUnitTest = (file: string): boolean => file.endsWith('.unit.test.ts');

/** Errors of another process arrive as plain objects, some without a prototype. */
const messageOf = (error: unknown): string => String((error as { message?: unknown } | null)?.message ?? 'unhandled error');

export class Session {
  readonly #vitest: Vitest;
  readonly #change: Change;

  private constructor(vitest: Vitest, change: Change) {
    this.#vitest = vitest;
    this.#change = change;
  }

  /** Starts the process. `needsDatabase` also loads the demo customers, as for service tests. */
  static async open(needsDatabase: boolean): Promise<Session> {
    let current: { readonly path: string; readonly mutant: Mutant } | undefined;
    const plugin = {
      name: 'mutation',
      enforce: 'pre' as const,
      transform: (code: string, id: string) => (id === current?.path ? applied(code, current.mutant) : undefined),
    };
    const options = {
      root,
      config: false as const,
      watch: false,
      bail: 1,
      reporters: [{}],
      silent: true,
      pool: 'forks' as const,
      maxWorkers: 1,
      isolate: false,
      testTimeout: 30_000,
      hookTimeout: 30_000,
      include: ['test/**/*.test.ts'],
      globalSetup: needsDatabase ? ['test/support/template.ts'] : [],
      setupFiles: ['scripts/mutation/watchdog.ts'],
    };
    const vitest = await createVitest('test', options, { plugins: [plugin], ...(config.resolve && { resolve: config.resolve }) });
    return new Session(vitest, (file, mutant) => {
      if (current) vitest.invalidateFile(current.path);
      const path = join(root, file);
      vitest.invalidateFile(path);
      current = mutant && { path, mutant };
    });
  }

  /** Runs test files, unit tests first, until a test fails. Returns the failed test; undefined if all pass. */
  async failure(file: string, mutant: Mutant | undefined, tests: readonly string[]): Promise<string | undefined> {
    this.#change(file, mutant);
    for (const group of [tests.filter(isUnitTest), tests.filter((test) => !isUnitTest(test))]) {
      if (group.length === 0) continue;
      const found = group.map((test) => this.#vitest.getRootProject().createSpecification(join(root, test)));
      const { testModules, unhandledErrors } = await this.#vitest.runTestSpecifications(found);
      // The state includes results of earlier runs.
      const ran = new Set(found.map(({ moduleId }) => moduleId));
      const failed = testModules.filter((each) => ran.has(each.moduleId) && each.state() === 'failed').map((each) => each.relativeModuleId);
      // A process that the watchdog ended leaves an unhandled error.
      if (failed.length > 0 || unhandledErrors.length > 0) return [...failed, ...unhandledErrors.map(messageOf)].join(', ');
    }
    return undefined;
  }

  close(): Promise<void> {
    return this.#vitest.close();
  }
}
