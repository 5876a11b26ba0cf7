/**
 * A process that repeats one request with a fixed concurrency until SIGTERM. Then it prints the number of responses by outcome.
 *
 *   node --import tsx attacker.ts <url> "<key> <key> …" <name of the attack> "<column> <column> …"
 */
import { Agent, type IncomingMessage, request } from 'node:http';
import { localAddress } from './attack.ts';
import { attacksOf } from './attacks.ts';
import { uploadAttacks } from './uploads.ts';

const [url = '', ownKeys = '', name = '', columns = ''] = process.argv.slice(2);
const keys = ownKeys.split(' ');
let uses = 0;
const nextKey = (): string => keys[uses++ % keys.length]!;
const attack = [...attacksOf(columns.split(' ')), ...uploadAttacks].find((each) => each.name === name)!;
const agent = new Agent({ keepAlive: true, maxSockets: 400, localAddress });
const answers: Record<string, number> = {};
let turns = 0;

/** Reads the response at the client's speed. The first bytes show the outcome. */
const take = (response: IncomingMessage): Promise<string> =>
  new Promise((resolve) => {
    let head = '';
    let timer: NodeJS.Timeout | undefined;
    const done = () => {
      clearInterval(timer);
      const [, code] = /"code":"(\w+)"/.exec(head) ?? [];
      resolve(code ? `${response.statusCode} ${code}` : String(response.statusCode));
    };
    response.on('end', done).on('error', done).on('close', done);
    if (!attack.bytesPerSecond) response.on('data', (chunk: Buffer) => (head ||= chunk.toString('latin1', 0, 2_000)));
    else timer = setInterval(() => response.read(attack.bytesPerSecond), 1_000);
  });

const ask = (): Promise<string> =>
  new Promise((resolve) => {
    const turn = turns++;
    const body = attack.body?.(turn);
    const path = attack.path.replace('{turn}', () => String(turn));
    const caller = attack.openHeaders?.(turn) ?? { 'X-API-Key': nextKey() };
    const headers = { ...caller, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) };
    const call = request(`${url}${path}`, { method: body === undefined ? 'GET' : 'POST', agent, headers }, (response) => {
      take(response).then(resolve);
    });
    call.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'failed')).end(body);
  });

const { hostname: host, port } = new URL(url);
const outcome = ({ code }: NodeJS.ErrnoException): string => code ?? 'failed';

const lane = async () => {
  for (;;) {
    const answer = await (attack.round ? attack.round({ host, port: Number(port), key: nextKey() }).catch(outcome) : ask());
    answers[answer] = (answers[answer] ?? 0) + 1;
  }
};

process.on('SIGTERM', () => {
  process.stdout.write(`${JSON.stringify(answers)}\n`, () => process.exit());
});
for (let i = 0; i < (attack.atOnce ?? 20); i++) void lane();
console.log('started');
