/** Chooses the keys and the figures of groups. */
import { Fragment, useState } from 'react';
import type { DescribedTable } from '../../described.ts';
import { ColumnList } from '../parts/column-list.tsx';
import { usePage } from '../parts/context.ts';
import { Menu } from '../parts/menu.tsx';
import { suggestedKey } from '../rows/column-menu.tsx';
import { groupKeyOf } from '../view/group-keys.ts';
import { figureIn, withoutName, writtenFigure } from '../view/named-figure.ts';
import { seriesUpTo, today } from '../view/periods.ts';
import { hasSeries, namedLabel } from '../view/scope.ts';
import { findColumn, labelOf } from '../view/tables.ts';
import { type GroupValue, parameterItems, type ValueList, type View, valueNameOf, withParameter } from '../view/view.ts';
import { FigureEditor } from './figure-editor.tsx';
import { KeyChip } from './key-chip.tsx';
import { columnAggregates, hasValue, newValue, withYearBefore } from './new-figures.ts';

interface BuilderProps {
  readonly view: View;
  readonly table: DescribedTable;
  readonly onChange: (part: Partial<View>) => void;
}

const ValueChip = ({ value, view, table, onChange }: BuilderProps & { readonly value: GroupValue }) => {
  const { description, language, t } = usePage();
  const found = findColumn(description, table, value.of);
  const measure = table.measures.find(({ name }) => name === value.of);
  const label = value.list === 'measure' ? (measure?.label[language] ?? value.of) : found ? labelOf(found, language) : value.of;
  const replace = (values: readonly GroupValue[]) =>
    onChange({
      values: view.values.flatMap((each) => (each === value ? values : [each])),
      order: view.order.filter((each) => each.replace(/^-/, '') !== valueNameOf(value)),
    });
  const isTaken = (list: ValueList) => list !== value.list && hasValue(view, { list, of: value.of });
  return (
    <span className="chip" title={measure?.definition}>
      {label}
      {value.list !== 'measure' && (
        <select
          aria-label={label}
          value={value.list}
          onChange={({ target }) => replace([{ list: target.value as ValueList, of: value.of }])}
        >
          {(columnAggregates.includes(value.list) ? columnAggregates : [...columnAggregates, value.list]).map((list) => (
            <option key={list} value={list} disabled={isTaken(list)}>
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

/** A figure with a name of its own. */
const NamedChip = ({ text, view, table, onChange }: BuilderProps & { readonly text: string }) => {
  const { language, t } = usePage();
  const figure = figureIn(text);
  const label = figure ? namedLabel(figure.name, language) : text;
  const items = parameterItems(view, 'value');
  return (
    <span className="chip">
      {figure ? (
        <Menu label={label} className="words">
          {(close) => (
            <FigureEditor
              view={view}
              table={table}
              figure={figure}
              onApply={(changed) => {
                close();
                const kept = changed.name === figure.name ? view : { ...view, ...withoutName(view, figure.name) };
                const given = changed.name === figure.name ? items : parameterItems(kept, 'value');
                const written = writtenFigure(changed);
                const all = given.includes(text) ? given.map((each) => (each === text ? written : each)) : [...given, written];
                onChange({ order: kept.order, others: withParameter(kept, 'value', all) });
              }}
            />
          )}
        </Menu>
      ) : (
        label
      )}
      <button
        type="button"
        aria-label={t.remove(label)}
        onClick={() =>
          onChange(
            figure
              ? withoutName(view, figure.name)
              : {
                  others: withParameter(
                    view,
                    'value',
                    items.filter((each) => each !== text),
                  ),
                },
          )
        }
      >
        ✕
      </button>
    </span>
  );
};

const ValueMenu = ({ view, table, onChange, close }: BuilderProps & { readonly close: () => void }) => {
  const { description, language, t } = usePage();
  const [isOwn, setOwn] = useState(false);
  const choose = (change: Parameters<typeof onChange>[0]) => {
    close();
    onChange(change);
  };
  if (isOwn)
    return (
      <FigureEditor
        view={view}
        table={table}
        figure={undefined}
        onApply={(figure) => choose({ others: withParameter(view, 'value', [...parameterItems(view, 'value'), writtenFigure(figure)]) })}
      />
    );
  const add = (value: GroupValue) => choose({ values: [...view.values, value] });
  const compared = withYearBefore(view, table, description);
  const measures = table.measures.filter(
    ({ name, needsDay }) => (!needsDay || hasSeries(view)) && !view.values.some(({ of }) => of === name),
  );
  return (
    <>
      {!view.hasCount && (
        <button type="button" onClick={() => choose({ hasCount: true })}>
          {t.count}
        </button>
      )}
      {compared && (
        <button type="button" onClick={() => choose({ others: compared })}>
          {t.yearBefore}
        </button>
      )}
      <button type="button" onClick={() => setOwn(true)}>
        {t.ownFigure} …
      </button>
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
        includes={(found) => found.via.length === 0 && found.column.isQuantity && newValue(view, found) !== undefined}
        onChoose={(found) => {
          const value = newValue(view, found);
          if (value) add(value);
        }}
      />
    </>
  );
};

export const Builder = (props: BuilderProps) => {
  const { description, language, t } = usePage();
  const { view, table, onChange } = props;
  const [, limit] = view.others.find(([name]) => name === 'limit') ?? [];
  const keyLabel = (key: string) => {
    const { found } = groupKeyOf(key, table, description);
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
            return (
              <>
                {table.validity && !hasSeries(view) && (
                  <button type="button" title={t.asOfHint} onClick={() => add(monthly)}>
                    {t.asOf}
                  </button>
                )}
                <ColumnList
                  table={table}
                  includes={({ path }) => !view.by.some((key) => groupKeyOf(key, table, description).path === path)}
                  onChoose={(found) => add(suggestedKey(found))}
                />
              </>
            );
          }}
        </Menu>
        {view.by.length > 1 && (
          <label className="picker">
            {t.across}
            <select
              value={view.by.includes(view.across) ? view.across : ''}
              onChange={({ target }) => onChange({ across: target.value, acrossValue: '' })}
            >
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
            <button
              type="button"
              aria-label={t.remove(t.count)}
              onClick={() => onChange({ hasCount: false, order: view.order.filter((each) => !/^-?count$/.test(each)) })}
            >
              ✕
            </button>
          </span>
        )}
        {view.values.map((value) => (
          <Fragment key={`${value.list} ${value.of}`}>
            <ValueChip {...props} value={value} />
          </Fragment>
        ))}
        {parameterItems(view, 'value').map((text) => (
          <NamedChip key={text} {...props} text={text} />
        ))}
        {limit && (
          <span className="chip">
            {t.limit(limit)}
            <button
              type="button"
              aria-label={t.remove(t.limit(limit))}
              onClick={() => onChange({ others: view.others.filter(([name]) => name !== 'limit') })}
            >
              ✕
            </button>
          </span>
        )}
        <Menu label={`+ ${t.addValue}`} className="chip add">
          {(close) => <ValueMenu {...props} close={close} />}
        </Menu>
      </div>
    </div>
  );
};
