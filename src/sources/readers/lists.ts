/** Further lists whose columns are added to rows by a key. They are held in memory, so their number of rows is bounded. */
import { OperatorError } from '../../errors.ts';
import { shown } from '../../sync/files/rejections.ts';
import { rowFilter } from '../columns/conditions.ts';
import { RowColumns, RowKeys } from '../columns/row-columns.ts';
import { textReader } from '../columns/values.ts';
import { keyInWords, keyText } from '../keys/key-text.ts';
import type { ListRule, Source } from '../source-file.ts';
import type { Cell, SourceList, SourceRow } from '../source-rows.ts';
import { formatsOf, openLists } from './open-list.ts';

const maxRows = 1_000_000;

interface LoadedList {
  readonly rule: ListRule;
  readonly columns: readonly string[];
  readonly rows: ReadonlyMap<string, readonly Cell[]>;
}

const indexOf = (list: Pick<SourceList, 'name' | 'columns'>, column: string): number => {
  const index = list.columns.indexOf(column);
  if (index < 0) throw new OperatorError(`${shown(list.name)} has no column '${shown(column)}'.`);
  return index;
};

/** Reads a list. Throws an `OperatorError` if a key is there twice, because either row could be meant. */
export const readWholeList = async (source: Source, folder: string, rule: ListRule): Promise<LoadedList> => {
  const formats = formatsOf(source, rule);
  const toText = textReader(formats);
  const rows = new Map<string, readonly Cell[]>();
  let columns: readonly string[] = [];
  for await (const list of openLists(source, folder, rule)) {
    columns = list.columns;
    const at = Object.values(rule.on).map((column) => indexOf(list, column));
    const counts = rowFilter(rule, new RowColumns(list, new RowKeys()), formats);
    for await (const batch of list.rows)
      for (const row of batch) {
        if (!counts(row)) continue;
        const { cells, line } = row;
        const key = keyText(at.map((index) => toText(cells[index] ?? null)));
        // A key without a part belongs to no row.
        if (key === null) continue;
        if (rows.has(key)) throw new OperatorError(`${shown(list.name)}, line ${line}: the key ${shown(keyInWords(key))} is there twice.`);
        if (rows.size >= maxRows)
          throw new OperatorError(`${shown(list.name)}: a list of another table has at most ${maxRows.toLocaleString('en')} rows.`);
        rows.set(key, cells);
      }
  }
  return { rule, columns, rows };
};

/** The list with the columns of the further lists. */
export const withLists = (
  source: Source,
  list: SourceList,
  rule: Pick<SourceList, never> & { formats?: ListRule['formats'] },
  loaded: readonly LoadedList[],
): SourceList => {
  if (loaded.length === 0) return list;
  const toText = textReader(formatsOf(source, rule));
  const columns = [...list.columns, ...loaded.flatMap((one) => one.columns.map((name) => `${one.rule.as}.${name}`))];
  const keys = loaded.map((one, position) => {
    const earlier = columns.slice(
      0,
      list.columns.length + loaded.slice(0, position).reduce((sum, { columns: before }) => sum + before.length, 0),
    );
    return Object.keys(one.rule.on).map((column) => indexOf({ name: list.name, columns: earlier }, column));
  });
  const withOthers = ({ line, cells }: SourceRow): SourceRow => {
    const all = list.columns.map((_, index) => cells[index] ?? null);
    loaded.forEach((one, index) => {
      const key = keyText(keys[index]!.map((at) => toText(all[at] ?? null)));
      const found = key === null ? undefined : one.rows.get(key);
      all.push(...one.columns.map((_, at) => found?.[at] ?? null));
    });
    return { line, cells: all };
  };
  async function* rows(): AsyncGenerator<readonly SourceRow[]> {
    for await (const batch of list.rows) yield batch.map(withOthers);
  }
  return { ...list, columns, rows: rows() };
};
