/**
 * Whether this checkout answers as a commit does, byte for byte: after a change that is to change no answer.
 *
 *   DATABASE_URL=postgres://… npm run same-answers -- <commit>
 *
 * Both versions run as processes over one database, made for the purpose and filled by the commit, since it need not
 * start over what a later one has made of the control schema. The list of requests follows
 * from the catalogue and from rows, cursors and versions read through the commit's service; this checkout is asked each of them twice,
 * since answers are kept. Prints what differs, and ends with 1 if
 * anything does, or if a request is not answered in the way that it is there for.
 */
import { Agent } from 'node:http';
import { checkOut, estate, makeDatabase, startVersion, type Undo } from '../tools/versions.ts';
import { type Ask, askerOf, describe, differences, inLanes, isMeant, type Question } from './same-answers/ask.ts';
import { graphqlQuestions } from './same-answers/graphql.ts';
import { rawQuestions, serviceQuestions, tableQuestions } from './same-answers/rest.ts';
import { readRawSamples, readSamples } from './same-answers/samples.ts';
import { loadAgain } from './same-answers/second-load.ts';

const listQuestions = async (ask: Ask): Promise<readonly Question[]> => {
  const samples = await readSamples(ask);
  const raw = await readRawSamples(ask);
  return [
    ...samples.flatMap(tableQuestions),
    ...raw.flatMap(rawQuestions),
    ...serviceQuestions(),
    ...(await graphqlQuestions(ask, samples)),
  ];
};

const compare = async (first: Ask, second: Ask, stop: AbortSignal): Promise<boolean> => {
  const questions = await listQuestions(first);
  const statuses = new Map<number, number>();
  let differ = 0;
  let notMeant = 0;
  await inLanes(questions, async (question) => {
    stop.throwIfAborted();
    const [before, after, again] = [await first(question), await second(question), await second(question)];
    statuses.set(before.status, (statuses.get(before.status) ?? 0) + 1);
    if (!isMeant(question, before)) {
      notMeant++;
      console.log(`${describe(question)}: answered ${before.status}, which is not what it asks for: ${before.body.subarray(0, 300)}`);
    }
    // Asked again, an answer may be one that was kept.
    const found = [...differences(before, after), ...differences(before, again).map((difference) => `again: ${difference}`)];
    if (found.length === 0) return;
    differ++;
    console.log(`${describe(question)}: ${found.join('; ')}`);
  });
  const sorted = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status} × ${count}`);
  console.log(`Answers: ${sorted.join(', ')}`);
  console.log(`${questions.length} requests, ${differ} differ`);
  return differ === 0 && notMeant === 0;
};

const run = async (commit: string, stop: AbortSignal, undo: Undo): Promise<boolean> => {
  const agent = new Agent({ keepAlive: true });
  undo.push(() => agent.destroy());
  const folder = checkOut(commit, undo);
  const { environment, keys } = await makeDatabase(folder, undo);
  const first = await startVersion(folder, environment, undo);
  const ask = askerOf(first, keys, agent);
  await loadAgain(ask, (...args) => estate(folder, environment, ...args));
  const second = await startVersion(process.cwd(), environment, undo);
  stop.throwIfAborted();
  return compare(ask, askerOf(second, keys, agent), stop);
};

const [commit, ...rest] = process.argv.slice(2);
if (!commit || commit.startsWith('-') || rest.length > 0) {
  console.error('Usage: npm run same-answers -- <commit>');
  process.exit(2);
}
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort(new Error(`Stopped by ${signal}`)));
const undo: Undo = [];
try {
  process.exitCode = (await run(commit, stopping.signal, undo)) ? 0 : 1;
} finally {
  for (const step of undo.reverse()) await step();
}
