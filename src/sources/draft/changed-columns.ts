/** Doubts about a list that has other columns than the source knows. */
import { type Document, isMap } from 'yaml';
import { type NamedColumn, namedColumns } from '../columns/named-columns.ts';
import type { Source, TableRule } from '../source-file.ts';
import { catalogueTarget } from '../target-table.ts';
import {
  codesOf,
  type Edit,
  germanCodesOf,
  germanQuote,
  listOf,
  type OpenDoubt,
  type Place,
  placeOf,
  quote,
  type SeenList,
} from './doubt.ts';

const isKnown = ({ at }: NamedColumn): boolean => at[0] === 'knownColumns';

/** The tables of the source that read a list. */
const tablesOf = (source: Source, list: SeenList, lists: readonly SeenList[]) =>
  source.tables.flatMap((table, index) => (listOf(source, table, lists) === list ? [{ table, index }] : []));

/** The columns of a list that some table reads. */
const readOf = (tables: readonly { readonly table: TableRule }[]): ReadonlySet<string> =>
  new Set(tables.flatMap(({ table }) => namedColumns(table).flatMap((one) => (isKnown(one) ? [] : [one.name]))));

/** Columns that the source reads and the list lacks. One answer is for all tables that read the list. */
export const goneColumns = (document: Document, source: Source, lists: readonly SeenList[]): OpenDoubt[] =>
  lists.flatMap((list) => {
    const tables = tablesOf(source, list, lists);
    const has = new Set(list.columns.map(({ name }) => name));
    const read = readOf(tables.filter(({ table }) => table.missingColumns !== 'null'));
    // A new column is likelier the old one than a column that was there beside it.
    const known = new Set(tables.flatMap(({ table }) => table.knownColumns ?? []));
    const unread = list.columns.map(({ name }) => name).filter((name) => !readOf(tables).has(name));
    const free = [...unread.filter((name) => !known.has(name)), ...unread.filter((name) => known.has(name))];
    return [...read]
      .filter((name) => !has.has(name))
      .map((name): OpenDoubt => {
        const uses = tables.flatMap(({ table, index }) =>
          namedColumns(table).flatMap((one) =>
            one.name === name && document.hasIn(['tables', index, ...one.at]) ? [{ index, ...one }] : [],
          ),
        );
        const places = uses.flatMap(({ index, at: [key, target] }): Place[] => {
          if (key === 'knownColumns') return [];
          return [{ index, ...(key === 'columns' && { column: String(target) }) }];
        });
        const isOptional = places.every(
          ({ index, column }) =>
            column !== undefined && catalogueTarget(source.tables[index]!.table)?.columns.get(column)?.required === false,
        );
        const targets = [...new Set(places.map(({ column }) => column))];
        const [{ index, column }] = places as [Place];
        return {
          id: `gone/${index}/${name}`,
          text: {
            en: `The list has no column ${quote(name)}, which the source reads. It can have another name now.`,
            de: `Die Liste hat keine Spalte ${germanQuote(name)}, aber die Quelle liest sie. Vielleicht heißt sie jetzt anders.`,
          },
          places,
          place: placeOf(source.tables, list, places),
          values: [],
          choices: isOptional
            ? [
                {
                  label: { en: `Load nothing into ${targets.join(', ')}`, de: `Nichts in ${targets.join(', ')} laden` },
                  edits: places.map((place): Edit => ({ at: ['tables', place.index, 'columns', place.column!] })),
                },
              ]
            : [],
          ...(column !== undefined && { germanCodes: germanCodesOf(source.tables[index]!.table, column) }),
          columnEdits: (other) =>
            uses.flatMap(({ index: table, at, isKey }): Edit[] => {
              const place = ['tables', table, ...at];
              if (!isKey) return [{ at: place, value: other }];
              return [{ at: place }, { at: [...place.slice(0, -1), other], value: document.getIn(place) }];
            }),
          input: {
            columns: free.length > 0 ? free : [...has],
            ...(free.length === 0 &&
              targets.length === 1 &&
              column !== undefined && { constant: { codes: codesOf(source.tables[index]!.table, column) } }),
          },
        };
      });
  });

/** Columns that nothing reads and that a source with `knownColumns` does not name. */
export const newColumns = (_document: Document, source: Source, lists: readonly SeenList[]): OpenDoubt[] =>
  lists.flatMap((list) => {
    const tables = tablesOf(source, list, lists);
    const first = tables.find(({ table }) => table.knownColumns);
    if (!first) return [];
    const { index, table } = first;
    const known = table.knownColumns ?? [];
    const read = readOf(tables);
    return list.columns
      .filter(({ name }) => !known.includes(name) && !read.has(name))
      .map(({ name, values }) => ({
        id: `new/${index}/${name}`,
        text: {
          en: `The list has a new column ${quote(name)}, which nothing reads. To load it, state it in the source file below.`,
          de: `Die Liste hat eine neue Spalte ${germanQuote(name)}, die nichts liest. Soll sie geladen werden, nennen Sie sie unten in der Beschreibung der Quelle.`,
        },
        places: [{ index }],
        place: list.name,
        values: values.slice(0, 3),
        choices: [
          {
            label: { en: 'Do not load it', de: 'Nicht laden' },
            edits: [{ at: ['tables', index, 'knownColumns', known.length], value: name }],
          },
        ],
        input: {},
      }));
  });

/** Names the columns of each list in its first table, so that a new one is a doubt later. */
export const nameColumns = (document: Document, source: Source, lists: readonly SeenList[]): void => {
  for (const list of lists) {
    const [first] = tablesOf(source, list, lists);
    const table = first && document.getIn(['tables', first.index], true);
    if (!isMap(table)) continue;
    const pair = document.createPair(
      'knownColumns',
      document.createNode(
        list.columns.map(({ name }) => name),
        { flow: true },
      ),
    );
    const at = table.items.findIndex(({ key }) => String(key) === 'columns');
    table.items.splice(at < 0 ? table.items.length : at, 0, pair as (typeof table.items)[number]);
  }
};
