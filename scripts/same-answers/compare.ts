/** Sends the same requests to two services. */
import { type ApiRequest, describe, differences, isExpected, mapConcurrently, type Send } from './client.ts';
import { graphqlRequests } from './graphql.ts';
import { rawRequests, serviceRequests, tableRequests } from './rest.ts';
import { readRawSamples, readSamples, type Sample } from './samples.ts';

/** Further requests. The samples are rows of each table. */
export type MoreRequests = (send: Send, samples: readonly Sample[]) => Promise<readonly ApiRequest[]>;

const listQuestions = async (send: Send, more: MoreRequests): Promise<readonly ApiRequest[]> => {
  const samples = await readSamples(send);
  const raw = await readRawSamples(send);
  return [
    ...samples.flatMap(tableRequests),
    ...raw.flatMap(rawRequests),
    ...serviceRequests(),
    ...(await graphqlRequests(send, samples)),
    ...(await more(send, samples)),
  ];
};

/** Prints the differences. Returns whether there are none and each request has its expected kind of answer. */
export const compare = async (first: Send, second: Send, stop: AbortSignal, more: MoreRequests = async () => []): Promise<boolean> => {
  const requests = await listQuestions(first, more);
  const statuses = new Map<number, number>();
  let differ = 0;
  let notMeant = 0;
  await mapConcurrently(requests, async (request) => {
    stop.throwIfAborted();
    const [before, after, again] = [await first(request), await second(request), await second(request)];
    statuses.set(before.status, (statuses.get(before.status) ?? 0) + 1);
    if (!isExpected(request, before)) {
      notMeant++;
      console.log(`${describe(request)}: answered ${before.status}, which is not what it asks for: ${before.body.subarray(0, 300)}`);
    }
    // The second answer may come from the response cache.
    const found = [...differences(before, after), ...differences(before, again).map((difference) => `again: ${difference}`)];
    if (found.length === 0) return;
    differ++;
    console.log(`${describe(request)}: ${found.join('; ')}`);
  });
  const sorted = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status} × ${count}`);
  console.log(`Answers: ${sorted.join(', ')}`);
  console.log(`${requests.length} requests, ${differ} differ`);
  return differ === 0 && notMeant === 0;
};
