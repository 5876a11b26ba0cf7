/** Which delivered rows have a value that must be unique and that another row of the table keeps. */
import type pg from 'pg';
import { qualify, quote } from '../database/identifier.ts';
import { Faults, faultsShown } from './faults.ts';
import { findLines } from './find-lines.ts';
import type { RawChange } from './raw-changes.ts';

/** Throws an `OperatorError` that names them; does nothing if there are none. The load's transaction must be over. */
export const refuseCollisions = async (client: pg.ClientBase, schema: string, changes: readonly RawChange[]): Promise<void> => {
  const faults = new Faults();
  for (const { staged, comparison } of changes) {
    const { target, file, rows } = staged;
    if (!rows || !file || target.isNew) continue;
    const key = quote(target.key);
    for (const unique of target.unique) {
      const same = unique.map((column) => `n.${quote(column)} = t.${quote(column)}`).join(' and ');
      const { rows: found } = await client.query<{ key: string; total: number }>(
        `select n.${key}::text as key, count(*) over () as total
         from ${rows} n join ${qualify(schema, target.table)} t on ${same} and t.${key} <> n.${key}
         where not exists (select 1 from ${comparison.changed} c where c.key = t.${key}) order by n.${key} limit ${faultsShown}`,
      );
      const lines = await findLines(file, target.key, new Set(found.map((row) => row.key)));
      for (const row of found) {
        const line = lines.get(row.key);
        const place = { file: file.name, ...(line && { line }), column: unique.join(', ') };
        faults.add(place, `another row of ${target.table} has this already`);
      }
      faults.addUnseen(Math.max(0, (found[0]?.total ?? 0) - found.length));
    }
  }
  faults.throwIfAny();
};
