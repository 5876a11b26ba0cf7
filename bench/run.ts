/**
 * The benchmarks by name. The head of each file says what it needs and which arguments it takes.
 *
 *   npm run bench                      # lists them
 *   npm run bench -- page <commit>
 */
import { execFileSync } from 'node:child_process';
import { runNamedScript } from '../scripts/support/named-script.ts';

const benchmarks = {
  workloads: ['bench/all.ts', 'the service against a baseline and other servers; rewrites docs/performance.md'],
  page: ['bench/page.ts', 'pages and documents of this checkout against those of commits'],
  profile: ['bench/profile.ts', 'CPU time of a workload by function and module'],
  'large-page': ['bench/large-page.ts', 'large pages against psql \\copy'],
  groups: ['bench/groups.ts', 'groups against plain SQL'],
  growth: ['bench/growth.ts', 'customers, keys, rows and changes; rewrites docs/performance.md'],
  neighbours: ['bench/neighbours/compare.ts', 'one customer next to another'],
  scopes: ['bench/scopes/compare.ts', 'keys with a data scope against one without'],
  files: ['bench/files.ts', 'small requests while files are built'],
  explore: ['bench/explore.ts', 'clicks in Explore; needs Chromium'],
  graphiql: ['bench/graphiql.ts', 'questions in GraphiQL; needs Chromium'],
  loads: ['bench/loads.ts', 'the checks of the values of a load'],
  checks: ['bench/checks.ts', 'the checks of the data in a load'],
  sources: ['bench/sources.ts', 'loads with a source'],
  workbooks: ['bench/workbooks.ts', 'checks and loads of workbooks'],
  citus: ['bench/citus/overhead.ts', 'Citus against plain PostgreSQL'],
  customers: ['bench/citus/customers.ts', 'a Citus cluster with many customers'],
  coverage: ['scripts/request-coverage.ts', 'the files and functions that one request executes'],
} as const;

await runNamedScript(benchmarks, () => void execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' }));
