/**
 * Keeps a copy of a table. The first call downloads it, later calls fetch only the changes.
 *
 * `copy` is `{}` at first and is stored between calls: `rows` by key, and their `version`. `table` is the address of a raw table such as
 * `https://api.example.com/raw/person` or of a category table such as `https://api.example.com/operations/orders`. `id` is its key column.
 * For tables with required filters (booking_header, booking_positions), copy the raw tables.
 */
export async function refresh(copy, table, id, key) {
  if (!copy.version) copy.rows = new Map();
  const first = copy.version ? `${table}/deltas?since_version=${copy.version}&limit=10000` : `${table}?limit=10000`;
  let version;
  for (let next = ''; next !== null; ) {
    const answer = await fetch(first + next, { headers: { 'X-API-Key': key } });
    const shown = answer.headers.get('X-Data-Version');
    // Too old, or, for a table without cursors, changed between two pages: start again.
    const isStale = answer.status === 410 || (next.startsWith('&offset') && shown !== version);
    if (isStale) return refresh(Object.assign(copy, { version: undefined }), table, id, key);
    if (!answer.ok) throw new Error(`${answer.url}: ${answer.status}`);
    const body = await answer.json(); // the rows of a category table, or an envelope
    const { data = body, upserts = data, deletes = [], to_version = shown, next_cursor = answer.headers.get('X-Next-Cursor') } = body;
    for (const row of upserts) copy.rows.set(row[id], row);
    for (const gone of deletes) copy.rows.delete(gone);
    version ??= to_version; // The version of the first page. Later changes follow with the next call.
    const offset = answer.headers.get('X-Next-Offset');
    next = next_cursor ? `&cursor=${next_cursor}` : offset ? `&offset=${offset}` : null;
  }
  copy.version = version;
}
