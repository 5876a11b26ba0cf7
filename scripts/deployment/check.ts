/**
 * What the documents say about running the service, on one PostgreSQL cluster and one build: "Run it in production" of the README and
 * docs/operating.md (`../production/check.ts`), the upgrade from the last release and the way back to it (`way-back.ts`), then docker-compose.yml and
 * a rolling restart under load (`../topology/check.ts`).
 *
 *   npm run deployment [-- <requests a second>]
 *
 * Needs the programs of PostgreSQL, Redis and HAProxy.
 */
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../test/support/port.ts';
import { followReadme } from '../production/check.ts';
import { checkTopology } from '../topology/check.ts';
import { startCluster } from '../topology/cluster.ts';
import { checkOf, healthy, readCompose } from '../topology/compose.ts';
import { completeImage, copyFiles } from '../topology/dockerfile.ts';
import { checkWayBack } from './way-back.ts';

const run = async (folder: string, stops: (() => Promise<void>)[]): Promise<void> => {
  const services = readCompose();
  const { environment, healthcheck } = services.postgres;
  const port = await freePort();
  const cluster = { folder: join(folder, 'postgres'), port, environment };
  stops.push(startCluster(cluster.folder, port, environment));
  await healthy('postgres', checkOf(services.postgres, port), healthcheck?.retries);

  // The README's commands build in the folder of the image. So they also show that the Dockerfile copies all files of the build.
  const dockerfile = readFileSync('Dockerfile', 'utf8');
  const project = join(folder, 'app');
  copyFiles(dockerfile, project);
  const built = await followReadme(project, cluster, stops);
  console.log('What the README says of production works.');
  const { POSTGRES_USER, POSTGRES_PASSWORD } = environment;
  await checkWayBack(`postgres://${POSTGRES_USER}:${POSTGRES_PASSWORD}@127.0.0.1:${port}/postgres`);
  const image = completeImage(dockerfile, project, built);
  await checkTopology({ folder, services, image, cluster, perSecond: Number(process.argv[2] ?? 200) }, stops);
  console.log('The topology of docker-compose.yml works.');
};

const folder = mkdtempSync(join(tmpdir(), 'deployment-'));
chmodSync(folder, 0o755);
const stops: (() => Promise<void>)[] = [];
try {
  await run(folder, stops);
} finally {
  for (const stop of stops.reverse()) await stop();
  rmSync(folder, { recursive: true, force: true });
}
