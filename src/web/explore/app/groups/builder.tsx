/** Chooses the keys and the figures of groups. */
import { Fragment } from 'react';
import type { DescribedTable } from '../../described.ts';
import { ColumnList } from '../parts/column-list.tsx';
import { usePage } from '../parts/context.ts';
import { Menu } from '../parts/menu.tsx';
import { suggestedKey } from '../rows/column-menu.tsx';
import { seriesUpTo, today } from '../view/periods.ts';
import { findColumn, labelOf } from '../view/tables.ts';
import type { GroupValue, ValueList, View } from '../view/view.ts';

interface BuilderProps {
  readonly view: View;
  readonly table: DescribedTable;
  readonly onChange: (part: Partial<View>) => void;
}

/** The buckets that a menu offers, by what they need. */
const moments = ['', 'day', 'week', 'month', 'quarter', 'year', 'age(30,60,90,365)'];
const numbers = ['', 'ranges(0,1000,5000,10000)'];
const aggregates: readonly ValueList[] = ['sum', 'avg', 'median', 'min', 'max', 'distinct'];

const splitKey = (key: string): readonly [path: string, bucket: string] => {
  const [path = '', bucket = ''] = key.split(/:(.*)/s);
  return [path, bucket];
};

const KeyChip = ({ name, view, table, onChange }: BuilderProps & { readonly name: string }) => {
  const { description, language, t } = usePage();
  const [path, bucket] = splitKey(name);
  const found = findColumn(description, table, path);
  const isSeries = path === 'as_of';
  const label = isSeries ? t.asOf : found ? labelOf(found, language) : name;
  const kind = found?.column.kind;
  const series = isSeries ? seriesUpTo(today()).map((key) => splitKey(key)[1]) : undefined;
  const offered = series ?? (kind === 'date' || kind === 'timestamp' ? moments : kind === 'number' ? numbers : []);
  const buckets = offered.includes(bucket) ? offered : [...offered, bucket];
  const replace = (keys: readonly string[]) =>
    onChange({
      by: view.by.flatMap((each) => (each === name ? keys : [each])),
      across: view.across === name ? (keys[0] ?? '') : view.across,
      order: [],
      others: [],
    });
  return (
    <span className="chip">
      {label}
      {buckets.length > 1 && (
        <select
          aria-label={label}
          value={bucket}
          onChange={({ target }) => replace([target.value === '' ? path : `${path}:${target.value}`])}
        >
          {buckets.map((each) => (
            <option key={each} value={each}>
              {t.buckets[each.replace(/\(.*$/s, '')] ?? each}
            </option>
          ))}
        </select>
      )}
      <button type="button" aria-label={t.remove(label)} onClick={() => replace([])}>
        ✕
      </button>
    </span>
  );
};

const ValueChip = ({ value, view, table, onChange }: BuilderProps & { readonly value: GroupValue }) => {
  const { description, language, t } = usePage();
  const found = findColumn(description, table, value.of);
  const measure = table.measures.find(({ name }) => name === value.of);
  const label = value.list === 'measure' ? (measure?.label[language] ?? value.of) : found ? labelOf(found, language) : value.of;
  const replace = (values: readonly GroupValue[]) =>
    onChange({ values: view.values.flatMap((each) => (each === value ? values : [each])), order: [], others: [] });
  return (
    <span className="chip" title={measure?.definition}>
      {label}
      {value.list !== 'measure' && (
        <select
          aria-label={label}
          value={value.list}
          onChange={({ target }) => replace([{ list: target.value as ValueList, of: value.of }])}
        >
          {(aggregates.includes(value.list) ? aggregates : [...aggregates, value.list]).map((list) => (
            <option key={list} value={list}>
              {t.lists[list]}
            </option>
          ))}
        </select>
      )}
      <button type="button" aria-label={t.remove(label)} onClick={() => replace([])}>
        ✕
      </button>
    </span>
  );
};

const ValueMenu = ({ view, table, onChange, close }: BuilderProps & { readonly close: () => void }) => {
  const { language, t } = usePage();
  const add = (value: GroupValue) => {
    close();
    onChange({ values: [...view.values, value] });
  };
  const measures = table.measures.filter(({ name }) => !view.values.some((value) => value.of === name));
  return (
    <>
      {!view.hasCount && (
        <button
          type="button"
          onClick={() => {
            close();
            onChange({ hasCount: true });
          }}
        >
          {t.count}
        </button>
      )}
      {measures.length > 0 && (
        <>
          <h2>{t.measures}</h2>
          <div className="column-list">
            <ul>
              {measures.map(({ name, label, definition }) => (
                <li key={name}>
                  <button type="button" title={definition} onClick={() => add({ list: 'measure', of: name })}>
                    {label[language]}
                  </button>
                </li>
              ))}
            </ul>
          </div>
        </>
      )}
      <h2>{t.columns}</h2>
      <ColumnList
        table={table}
        includes={({ via, column }) => via.length === 0 && column.isQuantity}
        onChoose={({ path, column }) => add({ list: column.isRate ? 'avg' : 'sum', of: path })}
      />
    </>
  );
};

export const Builder = (props: BuilderProps) => {
  const { description, language, t } = usePage();
  const { view, table, onChange } = props;
  const keyLabel = (key: string) => {
    const found = findColumn(description, table, splitKey(key)[0]);
    return found ? labelOf(found, language) : t.asOf;
  };
  return (
    <div className="builder">
      <div className="filter-bar">
        <span className="bar-label">{t.keys}</span>
        {view.by.map((key) => (
          <KeyChip key={key} {...props} name={key} />
        ))}
        <Menu label={`+ ${t.addKey}`} className="chip add">
          {(close) => {
            const add = (key: string) => {
              close();
              onChange({ by: [...view.by, key] });
            };
            const [monthly = ''] = seriesUpTo(today());
            const hasSeries = view.by.some((key) => splitKey(key)[0] === 'as_of');
            return (
              <>
                {table.hasValidity && !hasSeries && (
                  <button type="button" title={t.asOfHint} onClick={() => add(monthly)}>
                    {t.asOf}
                  </button>
                )}
                <ColumnList
                  table={table}
                  includes={({ path }) => !view.by.some((key) => splitKey(key)[0] === path)}
                  onChoose={(found) => add(suggestedKey(found))}
                />
              </>
            );
          }}
        </Menu>
        {view.by.length > 1 && (
          <label className="picker">
            {t.across}
            <select value={view.by.includes(view.across) ? view.across : ''} onChange={({ target }) => onChange({ across: target.value })}>
              <option value="">{t.noColumns}</option>
              {view.by.map((key) => (
                <option key={key} value={key}>
                  {keyLabel(key)}
                </option>
              ))}
            </select>
          </label>
        )}
      </div>
      <div className="filter-bar">
        <span className="bar-label">{t.figures}</span>
        {view.hasCount && (
          <span className="chip">
            {t.count}
            <button type="button" aria-label={t.remove(t.count)} onClick={() => onChange({ hasCount: false, order: [] })}>
              ✕
            </button>
          </span>
        )}
        {view.values.map((value) => (
          <Fragment key={`${value.list} ${value.of}`}>
            <ValueChip {...props} value={value} />
          </Fragment>
        ))}
        <Menu label={`+ ${t.addValue}`} className="chip add">
          {(close) => <ValueMenu {...props} close={close} />}
        </Menu>
      </div>
    </div>
  );
};
