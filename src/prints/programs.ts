/**
 * A GET request as a command and as programs. Programs read the key from the environment, and Power Query asks for it (contract: prints). The
 * samples of pages have the key, or a place for it, instead. The service and the scripts of pages use it.
 */
import { csvQuery } from './power-query.ts';

/** The environment variable with the key. */
export const keyVariable = 'ESTATE_API_KEY';

/** A request of the service. */
export interface PrintedRequest {
  /** The address of the service, such as `https://estate.example.com`. */
  readonly origin: string;
  /** Path and query string. */
  readonly address: string;
  /** The text in the place of the key. Without it, the environment has the key. */
  readonly key?: string | undefined;
}

/** A text of Python or JavaScript. An address has no character that needs another escape. */
const quoted = (text: string): string => JSON.stringify(text);
const inShell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const withCsv = (address: string): string => `${address}${address.includes('?') ? '&' : '?'}format=csv`;

/** A program that prints or holds the rows of the answer. */
type Printer = (request: PrintedRequest) => string;

const curl: Printer = ({ origin, address, key }) =>
  `curl -H ${key === undefined ? `"X-API-Key: $${keyVariable}"` : inShell(`X-API-Key: ${key}`)} ${inShell(`${origin}${address}`)}`;

const pythonKey = (key: string | undefined): string => (key === undefined ? `os.environ["${keyVariable}"]` : quoted(key));
const pythonImports = (key: string | undefined): string => (key === undefined ? 'import os\n' : '');

const python: Printer = ({ origin, address, key }) => `import json
${pythonImports(key)}from urllib.request import Request, urlopen

request = Request(${quoted(`${origin}${address}`)}, headers={"X-API-Key": ${pythonKey(key)}})
for row in json.load(urlopen(request)):
    print(row)
`;

const pandas: Printer = ({ origin, address, key }) => `${key === undefined ? 'import os\n\n' : ''}import pandas

rows = pandas.read_csv(${quoted(`${origin}${withCsv(address)}`)}, storage_options={"X-API-Key": ${pythonKey(key)}})
print(rows)
`;

const typescript: Printer = ({ origin, address, key }) => `const answer = await fetch(${quoted(`${origin}${address}`)}, {
  headers: { 'X-API-Key': ${key === undefined ? `process.env.${keyVariable} ?? ''` : `'${key}'`} },
});
if (!answer.ok) throw new Error(await answer.text());
console.log(await answer.json());
`;

const powerQuery: Printer = ({ origin, address }) => {
  const [path = '', query = ''] = address.split('?');
  return `${csvQuery({ origin, path, parameters: [...new URLSearchParams(query)] })}\n`;
};

/** The programs by their names in the answer. */
export const programs = { curl, python, pandas, typescript, power_query: powerQuery } as const satisfies Record<string, Printer>;

export type ProgramName = keyof typeof programs;

/** A request as each of the programs. */
export const printedPrograms = (request: PrintedRequest): Readonly<Record<ProgramName, string>> =>
  Object.fromEntries(Object.entries(programs).map(([name, print]) => [name, print(request)])) as Record<ProgramName, string>;
