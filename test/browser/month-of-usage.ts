/** A month of usage for screenshots. It is the same in every run, except for the dates. */
import type { Database } from '../../src/database/connections/connection.ts';

const hourMs = 3_600_000;

/** Requests of an hour: office hours are busy, weekends are not, and a nightly export always runs. */
const requestsIn = (time: number, index: number): number => {
  const at = new Date(time);
  const isWeekend = at.getUTCDay() % 6 === 0;
  const isOffice = at.getUTCHours() >= 7 && at.getUTCHours() < 18;
  const wave = 1 + Math.sin(time / hourMs / (5 + index)) / 3;
  const nightly = at.getUTCHours() === 2 ? 240 : 0;
  return Math.round((isOffice ? (isWeekend ? 12 : 180) : 8) * wave) + nightly;
};

export const addMonthOfUsage = async ({ pool }: Database, keyIds: readonly string[]): Promise<void> => {
  const now = Math.floor(Date.now() / hourMs) * hourMs;
  const rows = keyIds.flatMap((keyId, index) =>
    Array.from({ length: 30 * 24 }, (_, hoursAgo) => {
      const time = now - hoursAgo * hourMs;
      const requests = Math.ceil(requestsIn(time, index) / (index + 1));
      const limited = index === 0 && hoursAgo % 53 === 3 ? 64 : 0;
      return { keyId, hour: new Date(time), requests: requests + limited, limited, errors: requests > 150 ? Math.round(requests / 60) : 0 };
    }),
  );
  await pool.query(
    `insert into estate.usage (key_id, hour, requests, rows, bytes, errors, limited, last_at)
     select key_id, hour, requests, requests * 180, requests * 61000, errors, limited, hour
     from unnest($1::text[], $2::timestamptz[], $3::bigint[], $4::bigint[], $5::bigint[]) as u (key_id, hour, requests, limited, errors)`,
    [
      rows.map((row) => row.keyId),
      rows.map((row) => row.hour),
      rows.map((row) => row.requests),
      rows.map((row) => row.limited),
      rows.map((row) => row.errors),
    ],
  );
  // The usage of all keys together is stored next to the usage of each key.
  await pool.query(
    `insert into estate.usage_totals (hour, requests, rows, bytes, errors, limited)
     select hour, sum(requests), sum(rows), sum(bytes), sum(errors), sum(limited) from estate.usage group by hour
     on conflict (hour) do update set (requests, rows, bytes, errors, limited) =
       (excluded.requests, excluded.rows, excluded.bytes, excluded.errors, excluded.limited)`,
  );
};
