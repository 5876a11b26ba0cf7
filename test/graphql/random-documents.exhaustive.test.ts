/**
 * Random documents with `@skip` and `@include` at every level have the answer of graphql-js, in its order (contract: conditional fields).
 *
 * graphql-js collects, merges and orders the fields over plain objects (see `reference-execution.ts`). The service uses its own selection
 * and writers. They share the schema and the values of plain documents, which other tests compare with SQL.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { onServer } from '../support/database.ts';
import { rounds, seedOf } from '../support/rounds.ts';
import { startService, type TestService } from '../support/service.ts';
import { keys } from '../support/settings.ts';
import { type RandomDocument, randomDocument } from './documents.ts';
import { ReferenceExecution } from './reference-execution.ts';

const documents = rounds(onServer ? 400 : 150);

let service: TestService;
let other: ReferenceExecution;

const post = async (body: object): Promise<string> => {
  const answer = await service.app.inject({
    method: 'POST',
    url: '/graphql',
    headers: { 'x-api-key': keys.nordEnterprise, host: 'localhost', 'content-type': 'application/json' },
    payload: JSON.stringify(body),
  });
  return answer.body;
};

const askPlainly = async (query: string) => {
  const { data, errors } = JSON.parse(await post({ query }));
  if (errors) throw new Error(`${errors[0].message} in ${query}`);
  return data;
};

beforeAll(async () => {
  service = await startService({ environment: { RESPONSE_CACHE_MB: '0' } });
  other = await ReferenceExecution.over(askPlainly);
}, 120_000);
afterAll(() => service.stop());

const text = /"(?:[^"\\]|\\.)*"/;
const number = /-?\d[\d.eE+-]*/;
/** JSON text with numbers in JavaScript's format, because the service keeps the digits of the database. */
const withPlainNumbers = (json: string): string =>
  json.replaceAll(new RegExp(`${text.source}|${number.source}`, 'g'), (token) => (token.startsWith('"') ? token : String(Number(token))));

/** The text of `data` in a response, or the whole response if it has errors or is not JSON. */
const dataIn = (body: string): string => {
  let answer: { readonly extensions?: unknown; readonly errors?: unknown };
  try {
    answer = JSON.parse(body);
  } catch {
    return `Not JSON: ${body}`;
  }
  const { extensions, errors } = answer;
  const end = extensions ? `,"extensions":${JSON.stringify(extensions)}}` : '}';
  return !errors && body.startsWith('{"data":') && body.endsWith(end) ? body.slice('{"data":'.length, -end.length) : body;
};

/** The message for an argument or a measure that is refused. */
const refusalIn = (body: string): string | undefined =>
  (JSON.parse(body) as { errors?: { message: string; extensions: { code: string } }[] }).errors?.find(
    ({ extensions }) => extensions.code === 'INVALID_PARAMETER',
  )?.message;

interface Difference {
  readonly asked: RandomDocument;
  readonly found: string;
  readonly wanted: string;
}

const maxShown = 5;

test(`${documents} random documents`, { timeout: 60_000 + documents * 1_000 }, async () => {
  const counts = { compared: 0, conditional: 0, emptied: 0, invalid: 0, refused: 0 };
  const differences: Difference[] = [];
  for (let number = 0; counts.compared < documents && differences.length < maxShown; number++) {
    const asked = randomDocument(other.schema, other.samples, seedOf(number));
    const body = await post(asked);
    if (body.includes('"code":"GRAPHQL_VALIDATION_FAILED"')) {
      counts.invalid++;
      continue;
    }
    if (body.includes('"code":"LIMIT_EXCEEDED"') || body.includes('relations can be followed')) {
      counts.refused++;
      continue;
    }
    const expected = await other.answer(asked);
    // Some measures need a series of days. Both executions refuse them with the same message.
    const refusal = expected.errors && refusalIn(body);
    if (refusal && String(expected.errors).includes(refusal)) {
      counts.refused++;
      continue;
    }
    const wanted = expected.errors ? String(expected.errors) : JSON.stringify(expected.data);
    const found = withPlainNumbers(dataIn(body));
    if (found !== wanted) differences.push({ asked, found, wanted });
    counts.compared++;
    if (/@(skip|include)/.test(asked.query)) counts.conditional++;
    if (wanted.includes('{}')) counts.emptied++;
  }
  expect(differences).toEqual([]);
  // Most have conditions, and many of these leave an object without fields.
  expect(counts.conditional).toBeGreaterThan(documents / 2);
  expect(counts.emptied).toBeGreaterThan(documents / 20);
  expect(counts.invalid + counts.refused).toBeLessThan(documents / 5);
});
