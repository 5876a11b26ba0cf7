/** Groups of every column of a table: as a key, as values, in conditions, and with computed values. */

import type { ApiRequest } from '../same-answers/client.ts';
import { answered } from '../same-answers/rest.ts';
import type { Sample, Value } from '../same-answers/samples.ts';

const quoted = (value: Value): string => (typeof value === 'string' ? `"${value.replaceAll('"', '""')}"` : String(value));

export const groupRequests = ({ table, path, values }: Sample): readonly ApiRequest[] => {
  return Object.entries(table.columns).flatMap(([column, { kind }]) => {
    const groups = (...parameters: readonly (readonly [string, string])[]) =>
      answered(`${path}/groups?${new URLSearchParams(parameters.map((each) => [...each]))}`);
    const value = values.get(column);
    const isTime = kind === 'date' || kind === 'timestamp';
    return [
      groups(['by', isTime ? `${column}:quarter` : column], ['count', ''], ['limit', '50']),
      groups(
        ['distinct', column],
        ...(kind === 'boolean'
          ? []
          : ([
              ['min', column],
              ['max', column],
            ] as const)),
      ),
      groups(['by', column], ['value', `present:count(${column}:is_not_null),part:share(present),place:rank(present)`], ['limit', '20']),
      groups(['by', column], ['count', ''], ['having', 'count>1'], ['order', '-count'], ['limit', '10']),
      groups(['where', `${column}:is_null`]),
      ...(value === undefined ? [] : [groups(['where', `${column}=${quoted(value)}`], ['by', column])]),
    ];
  });
};
