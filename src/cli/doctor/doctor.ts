/**
 * `estate doctor`: checks everything that the service depends on, changes nothing, and recommends actions. Its output contains no secret,
 * even if a server returns one.
 */
import { existsSync } from 'node:fs';
import { rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Config, readConfig } from '../../config.ts';
import { OperatorError } from '../../errors.ts';
import { openDatabase } from '../../service.ts';
import { projectFile } from '../../web/pages/static-files.ts';
import { paint } from '../colour.ts';
import { report } from '../session.ts';
import { examineDatabase, examineRedis, examineServers } from './doctor-servers.ts';
import { type DoctorFinding, failed, ok, warning } from './finding.ts';

/** The size of a page of 100,000 wide rows, which may need a spool on disk. */
const largePageMb = 100;
const tmpfs = 0x01021994;

const examineNode = (): DoctorFinding => {
  const { engines } = JSON.parse(projectFile('package.json')) as { engines: { node: string } };
  const min = engines.node.replace('>=', '').split('.').map(Number);
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const isOld = major < (min[0] ?? 0) || (major === min[0] && minor < (min[1] ?? 0));
  if (isOld) return failed('Node', process.versions.node, `Use Node 24; ${engines.node} at least.`);
  return major < 22
    ? warning('Node', process.versions.node, 'It gets no security fixes any more: use Node 24.')
    : ok('Node', process.versions.node);
};

const examineSettings = ({ PORTAL_PASSWORD, PORTAL_OPERATORS }: Config): DoctorFinding =>
  ok('settings', PORTAL_PASSWORD || PORTAL_OPERATORS.size > 0 ? 'all can be read' : 'all can be read; no operator is named');

const examineDisk = async ({ LARGE_PAGES }: Config): Promise<DoctorFinding> => {
  const folder = tmpdir();
  const advice = 'Let TMPDIR name a folder on a disk with room that the service may write to.';
  const file = join(folder, `estate-doctor-${process.pid}`);
  try {
    await writeFile(file, 'x', { mode: 0o600 });
    await rm(file);
    const { bavail, bsize, type } = await statfs(folder);
    const [freeMb, wantedMb] = [Math.floor((bavail * bsize) / 2 ** 20), LARGE_PAGES * largePageMb];
    const words = `${freeMb} MB free in ${folder}${type === tmpfs ? ', which is memory' : ''}`;
    if (freeMb < largePageMb) return failed('disk for large pages', words, advice);
    return freeMb < wantedMb
      ? warning('disk for large pages', words, `${LARGE_PAGES} large pages (LARGE_PAGES) may take ${wantedMb} MB. ${advice}`)
      : ok('disk for large pages', words);
  } catch (error) {
    return failed('disk for large pages', (error as Error).message, advice);
  }
};

/** The embedded database can be checked while no other process uses it. */
const examineEmbedded = async (config: Config): Promise<DoctorFinding[]> => {
  if (!existsSync(config.DATA_DIR)) return [ok('embedded database', `made in ${config.DATA_DIR} at the first start`)];
  try {
    const database = await openDatabase(config);
    return await examineDatabase(database.pool).finally(() => database.close());
  } catch (error) {
    if (error instanceof OperatorError) return [ok('embedded database', error.message)];
    return [failed('embedded database', (error as Error).message, `See that ${config.DATA_DIR} is whole and may be written to.`)];
  }
};

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** The secrets in the settings, as written and as parsed. Longer ones come first, because one may contain another. */
const secretsIn = ({
  KEY_SECRET,
  PORTAL_PASSWORD,
  DATABASE_URL,
  DATABASE_DIRECT_URL,
  DATABASE_READ_URL,
  REDIS_URL,
}: Config): readonly string[] =>
  [
    KEY_SECRET,
    PORTAL_PASSWORD,
    ...[DATABASE_URL, DATABASE_DIRECT_URL, ...DATABASE_READ_URL, REDIS_URL].map((url) => url && new URL(url).password),
  ]
    .flatMap((text) => [text, decoded(text)])
    .filter(Boolean)
    .sort((one, other) => other.length - one.length);

/** Removes secrets from error messages of servers and libraries, whose text is not known in advance. */
const withoutSecrets =
  (secrets: readonly string[]) =>
  (finding: DoctorFinding): DoctorFinding =>
    finding.state === 'ok'
      ? finding
      : { ...finding, found: secrets.reduce((text, secret) => text.replaceAll(secret, '[secret]'), finding.found) };

const examineAll = async (): Promise<DoctorFinding[]> => {
  const node = examineNode();
  try {
    const config = readConfig();
    const database = config.DATABASE_URL ? await examineServers(config) : await examineEmbedded(config);
    const redis = config.REDIS_URL ? await examineRedis(config.REDIS_URL) : [];
    const findings = [node, examineSettings(config), ...database, ...redis, await examineDisk(config)];
    return findings.map(withoutSecrets(secretsIn(config)));
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    const problems = error.message.split('\n');
    return [node, ...problems.map((words) => failed('settings', words, 'docs/administration.md has every setting with what it takes.'))];
  }
};

const colours = { ok: 'green', warning: 'yellow', fault: 'red' } as const;

const words = (findings: readonly DoctorFinding[]): string => {
  const width = Math.max(...findings.map(({ check }) => check.length));
  return findings
    .flatMap(({ check, state, found, advice }) => [
      `${paint(colours[state], state.padEnd(7))}  ${check.padEnd(width)}  ${found}`,
      ...(advice ? advice.split('\n').map((line) => `${' '.repeat(11 + width)}${line}`) : []),
    ])
    .join('\n');
};

/** Throws an `OperatorError` if a check fails. */
export const examine = async (options: { readonly json?: boolean }): Promise<void> => {
  const findings = await examineAll();
  const failures = findings.filter(({ state }) => state === 'fault').length;
  report({ ok: failures === 0, findings }, options, () => words(findings));
  if (failures > 0) throw new OperatorError(failures === 1 ? '1 check failed.' : `${failures} checks failed.`);
};
