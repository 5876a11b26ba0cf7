/** Cancels the running statement of a client. */
import type pg from 'pg';
import { CancelConnection, sessionOf } from './pg-internals.ts';

const cancelWithinMs = 5_000;

/** Sends a cancel request over a new connection, as the protocol demands. Resolves to whether the request was sent. */
export const cancelStatement = (client: pg.ClientBase): Promise<boolean> => {
  const { processID, secretKey, host, port, ssl } = sessionOf(client);
  const connection = new CancelConnection({ ssl });
  return new Promise((resolve) => {
    let isSent = false;
    const settle = () => {
      clearTimeout(timer);
      connection.stream.destroy();
      resolve(isSent);
    };
    const timer = setTimeout(settle, cancelWithinMs);
    const send = () => {
      isSent = true;
      connection.cancel(processID, secretKey);
    };
    // The server closes the connection once it has passed the request on.
    connection.once('connect', () => (ssl ? connection.requestSsl() : send())).once('sslconnect', send);
    connection.once('end', settle).on('error', settle);
    if (host.startsWith('/')) connection.connect(`${host}/.s.PGSQL.${port}`);
    else connection.connect(port, host);
  });
};
