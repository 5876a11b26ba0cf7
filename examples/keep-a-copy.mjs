/**
 * Keeps a copy of a raw table: the first call downloads it, every later one brings only what has changed since.
 *
 * `copy` begins as `{}` and is kept between calls: `rows` by key, and the `version` that they are at. `table` is an address
 * such as `https://api.example.com/raw/person`, `id` the column that is its key.
 */
export async function refresh(copy, table, id, key) {
  if (!copy.version) copy.rows = new Map();
  const path = copy.version ? `/deltas?since_version=${copy.version}&limit=10000` : '?limit=10000';
  let version;
  for (let cursor = ''; cursor !== null; ) {
    const answer = await fetch(`${table}${path}&cursor=${cursor}`, { headers: { 'X-API-Key': key } });
    if (answer.status === 410) return refresh(Object.assign(copy, { version: undefined }), table, id, key); // too old: start over
    if (!answer.ok) throw new Error(`${answer.url}: ${answer.status}`);
    const { data, upserts = data, deletes = [], to_version, next_cursor } = await answer.json();
    for (const row of upserts) copy.rows.set(row[id], row);
    for (const gone of deletes) copy.rows.delete(gone);
    version ??= to_version ?? answer.headers.get('X-Data-Version'); // of the first page; what changes meanwhile comes next time
    cursor = next_cursor;
  }
  copy.version = version;
}
