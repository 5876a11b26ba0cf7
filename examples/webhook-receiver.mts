/** Receives webhooks of Estate: checks the signature of each event with `npm install standardwebhooks`, and prints it. */
import { createServer } from 'node:http';
import { Webhook } from 'standardwebhooks';

interface Event {
  readonly type: string;
  readonly data: { readonly tables?: readonly { readonly table: string; readonly version: number }[] };
}

const webhook = new Webhook(process.env.WEBHOOK_SECRET ?? '');
const seen = new Set<unknown>(); // A program that stops keeps these where it keeps its data.

createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) body += chunk;
  let event: Event;
  try {
    event = webhook.verify(body, request.headers as Record<string, string>) as Event;
  } catch {
    response.writeHead(401).end();
    return;
  }
  response.writeHead(204).end();
  if (seen.has(request.headers['webhook-id'])) return;
  seen.add(request.headers['webhook-id']);
  console.log(event.type, ...(event.data.tables ?? []).map(({ table, version }) => `${table} ${version}`));
}).listen(Number(process.env.PORT ?? 9_000), '127.0.0.1');
