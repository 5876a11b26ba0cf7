/**
 * The checks on Citus by name. Without the extension they do nothing.
 *
 *   npm run citus                      # `check`
 *   npm run citus -- operating
 */
import { runNamedScript } from '../support/named-script.ts';

if (process.argv.length === 2) process.argv.push('check');
await runNamedScript({
  check: ['scripts/citus/check.ts', 'answers, loads, moves and faults against plain PostgreSQL'],
  operating: ['scripts/citus/operating.ts', 'docs/operating.md, "Citus", to the letter'],
  serve: ['scripts/citus/serve.ts', 'a coordinator and two workers until Ctrl-C'],
});
