/** An operation as a program. It reads the key from the environment, because code must not contain keys. */
import { parse, print, separateOperations } from 'graphql';
import { keyVariable } from '../../../../prints/programs.ts';
import { Figure, isObject, type Json } from '../../../browser/exact.ts';
import { type Operation, variablesIn } from '../operations/operation.ts';

/** Escapes text for a template literal. */
const inBackticks = (text: string): string => `\`${text.replaceAll(/[`\\]|\$\{/g, '\\$&')}\``;
const inTripleQuotes = (text: string): string => `"""${text.replaceAll('\\', '\\\\').replaceAll('"""', '\\"\\"\\"')}"""`;

type Words = Readonly<Record<'true' | 'false' | 'null', string>>;

/** JSON as Python: three values have other names. */
const written = (value: Json, words?: Words): string => {
  if (value instanceof Figure) return value.text;
  if (typeof value === 'string') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((each) => written(each, words)).join(', ')}]`;
  if (!isObject(value)) return words?.[`${value as boolean | null}`] ?? String(value);
  const entries = Object.entries(value).map(([name, inner]) => `${JSON.stringify(name)}: ${written(inner, words)}`);
  return `{${entries.join(', ')}}`;
};

const javascript = ({ variables }: Operation): string => written(variablesIn(variables));
const python = ({ variables }: Operation): string => written(variablesIn(variables), { true: 'True', false: 'False', null: 'None' });

/** The document with only the selected operation, because clients send one. */
const textOf = ({ query, operationName }: Operation): string => {
  const operations = Object.entries(separateOperations(parse(query)));
  const meant = operations.find(([name]) => name === operationName) ?? operations[0];
  return `\n${(operations.length > 1 && meant ? print(meant[1]) : query).trim()}\n`;
};

type Writer = (operation: Operation, address: string) => string;

const fetchCode: Writer = (operation, address) => `const query = ${inBackticks(textOf(operation))};

const answer = await fetch('${address}', {
  method: 'POST',
  headers: { 'Content-Type': 'application/json', 'X-API-Key': process.env.${keyVariable} },
  body: JSON.stringify({ query, variables: ${javascript(operation)} }),
});
const { data, errors } = await answer.json();
if (errors) throw new Error(errors[0].message);
console.log(JSON.stringify(data, null, 2));
`;

const pythonCode: Writer = (operation, address) => `import json
import os

import requests

query = ${inTripleQuotes(textOf(operation))}

answer = requests.post(
    "${address}",
    json={"query": query, "variables": ${python(operation)}},
    headers={"X-API-Key": os.environ["${keyVariable}"]},
    timeout=60,
)
body = answer.json()
if "errors" in body:
    raise RuntimeError(body["errors"][0]["message"])
print(json.dumps(body["data"], indent=2))
`;

export const languages = { fetch: fetchCode, Python: pythonCode } as const satisfies Record<string, Writer>;

/** An operation in a language. Throws if the document is not GraphQL or the variables are not JSON. */
export const codeOf = (language: keyof typeof languages, operation: Operation, address: string): string =>
  languages[language](operation, address);
