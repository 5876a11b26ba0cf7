import { setTimeout } from 'node:timers/promises';

/** An answer with data. A refusal is an error with its status, and with the seconds in `Retry-After`. */
function accepted(answer) {
  if (answer.ok) return answer;
  const { url, status, headers } = answer;
  throw Object.assign(new Error(`${url}: ${status}`), { status, retryAfter: Number(headers.get('Retry-After')) });
}

/**
 * Keeps a copy of a table. The first call downloads it, later calls fetch only the changes.
 *
 * `copy` is `{}` at first and is stored between calls: `rows` by key, and their `version`. `table` is the address of a raw table such as
 * `https://api.example.com/raw/person` or of a category table such as `https://api.example.com/operations/orders`. `id` is its key column.
 * For tables with required filters (booking_header, booking_positions), copy the raw tables.
 */
export async function refresh(copy, table, id, key, limit = 10_000) {
  if (!copy.version) copy.rows = new Map();
  const first = copy.version ? `${table}/deltas?since_version=${copy.version}&limit=${limit}` : `${table}?limit=${limit}`;
  let version;
  for (let next = ''; next !== null; ) {
    const answer = await fetch(first + next, { headers: { 'X-API-Key': key } });
    const shown = answer.headers.get('X-Data-Version');
    // Too old, or, for a table without cursors, changed between two pages: start again.
    const isStale = answer.status === 410 || (next.startsWith('&offset') && shown !== version);
    if (isStale) return refresh(Object.assign(copy, { version: undefined }), table, id, key, limit);
    const body = await accepted(answer).json(); // the rows of a category table, or an envelope
    const { data = body, upserts = data, deletes = [], to_version = shown } = body;
    // Only a page with a following one has a cursor and `true` in X-Has-More.
    const hasMore = answer.headers.get('X-Has-More') !== 'false';
    const { next_cursor = hasMore ? answer.headers.get('X-Next-Cursor') : null } = body;
    for (const row of upserts) copy.rows.set(id ? row[id] : Object.values(row)[0], row);
    for (const gone of deletes) copy.rows.delete(gone);
    version ??= to_version; // The version of the first page. Later changes follow with the next call.
    const offset = answer.headers.get('X-Next-Offset');
    next = next_cursor ? `&cursor=${next_cursor}` : offset ? `&offset=${offset}` : null;
  }
  copy.version = version;
}

/** Tables that cannot be read without filters. A copy has the raw table instead. */
const rawTables = { booking_header: 'booking_hdr', booking_positions: 'booking_pos' };

/**
 * Keeps a copy of all category tables that the key may read: one request for the list, and one for each table with new data and up to
 * 100,000 rows. `copies` is `{}` at first and is stored between calls: a copy of each table by its path. `address` is that of the service.
 */
export async function refreshAll(copies, address, key) {
  const { tables } = await accepted(await fetch(`${address}/me`, { headers: { 'X-API-Key': key } })).json();
  const category = tables.filter((table) => table.category !== 'raw');
  for (const own of category) {
    const raw = rawTables[own.table];
    const current = raw ? tables.find((other) => other.category === 'raw' && other.table === raw) : own;
    // A version of 0 means that the table was never loaded. It has no rows.
    if (!current || current.version === 0) continue;
    const path = current.endpoint_url; // A path of the host, also if the address of the service has a path.
    copies[path] ??= {};
    if (String(copies[path].version) === String(current.version)) continue;
    await refresh(copies[path], new URL(path, address).href, undefined, key, 100_000); // The key is the first column.
  }
}

/** Statuses of the service, or of a proxy in front of it, after which the same request can succeed. */
const passing = [429, 502, 503, 504];

/** Whether to try again: after such a status, a failed connection, or an answer that does not come. */
const isPassing = ({ status, cause, name }) => passing.includes(status) || cause !== undefined || name === 'TimeoutError';

/**
 * Keeps the copies of `refreshAll` up to date until `signal` aborts. It waits for changes, so it needs about 72 requests an hour without new data.
 * After a failure that passes, it tries again: after the seconds in `Retry-After`, or 1, 2, 4 and at most 60 seconds.
 * `refreshed` is called after each refresh.
 */
export async function keepUp(copies, address, key, { signal = new AbortController().signal, refreshed = () => {} } = {}) {
  let since = '9999-12-31'; // Nothing is newer, so the first answer only says when it was made.
  for (let [wait, failures] = [0, 0]; !signal.aborted; ) {
    try {
      const request = { headers: { 'X-API-Key': key }, signal: AbortSignal.any([signal, AbortSignal.timeout(90_000)]) };
      const { generated_at, changes } = await accepted(await fetch(`${address}/changes?since=${since}&wait=${wait}`, request)).json();
      if (wait === 0 || changes.length > 0) {
        await refreshAll(copies, address, key);
        refreshed();
      }
      // Proxies often end a request after 60 seconds.
      [since, wait, failures] = [generated_at, 50, 0];
    } catch (error) {
      if (signal.aborted || !isPassing(error)) throw error;
      await setTimeout(1_000 * (error.retryAfter || Math.min(2 ** failures++, 60)), undefined, { signal });
    }
  }
}
