/** Makes and changes a figure with a name of its own: an aggregate with conditions, or a value that is computed from other figures. */
import { type ReactNode, useState } from 'react';
import {
  type Computation,
  computation,
  computationNames,
  isComputation,
  looksBack,
  operandCount,
  type RowFunction,
  relatedAggregateNames,
  rowFunctionNames,
} from '../../../../plan/vocabulary/values.ts';
import { Picker } from '../../../browser/controls.tsx';
import type { DescribedTable } from '../../described.ts';
import { ConditionList } from '../conditions/condition-editor.tsx';
import { ColumnList } from '../parts/column-list.tsx';
import { usePage } from '../parts/context.ts';
import { keyNameOf } from '../view/group-keys.ts';
import {
  type AggregateFigure,
  type ComputedFigure,
  isAggregated,
  isComplete,
  type NamedFigure,
  takesPercent,
} from '../view/named-figure.ts';
import { appliesTo, functionWords } from '../view/row-functions.ts';
import { hasSeries, scopeOfGroups, scopeOfRows } from '../view/scope.ts';
import { type FoundColumn, findColumn, labelOf } from '../view/tables.ts';
import type { View } from '../view/view.ts';

interface FigureEditorProps {
  readonly view: View;
  readonly table: DescribedTable;
  readonly figure: NamedFigure | undefined;
  readonly onApply: (figure: NamedFigure) => void;
}

const calls = ['count', ...relatedAggregateNames, 'sum_once', ...computationNames] as const;

/** A figure of a function without its arguments. */
const newFigure = (call: (typeof calls)[number], name: string): NamedFigure =>
  isComputation(call)
    ? { is: 'computed', name, call, of: [], keys: [], periods: '' }
    : { is: 'aggregate', name, call, applied: undefined, paths: [], percent: '', conditions: [] };

interface ColumnFieldProps {
  readonly table: DescribedTable;
  readonly label: string;
  readonly path: string;
  readonly includes: (found: FoundColumn) => boolean;
  readonly onChoose: (path: string) => void;
}

/** A column, which a list replaces while another one is chosen. */
const ColumnField = ({ table, label, path, includes, onChoose }: ColumnFieldProps) => {
  const { description, language, t } = usePage();
  const [isOpen, setOpen] = useState(path === '');
  const found = findColumn(description, table, path);
  return (
    <div className="picker">
      <span>{label}</span>
      {!isOpen && (
        <button type="button" aria-label={`${label}: ${found ? labelOf(found, language) : t.noColumns}`} onClick={() => setOpen(true)}>
          {found ? labelOf(found, language) : t.noColumns}
        </button>
      )}
      {isOpen && (
        <ColumnList
          table={table}
          includes={includes}
          onChoose={(chosen) => {
            setOpen(false);
            onChoose(chosen.path);
          }}
        />
      )}
    </div>
  );
};

const AggregateFields = ({
  table,
  view,
  figure,
  onChange,
}: Pick<FigureEditorProps, 'table' | 'view'> & { readonly figure: AggregateFigure; readonly onChange: (figure: NamedFigure) => void }) => {
  const { description, language, t } = usePage();
  const { call, applied, paths, percent, conditions } = figure;
  const over = ['', ...rowFunctionNames] as const;
  const column = (at: number, label: string, includes: (found: FoundColumn) => boolean): ReactNode => (
    <ColumnField
      key={`${call} ${applied} ${at}`}
      table={table}
      label={label}
      path={paths[at] ?? ''}
      includes={includes}
      onChoose={(path) => onChange({ ...figure, paths: at === 0 ? [path, ...paths.slice(1)] : [paths[0] ?? '', path] })}
    />
  );
  const isApplied = (each: RowFunction) => (found: FoundColumn) => appliesTo(each, found.column);
  return (
    <>
      {call !== 'count' && call !== 'sum_once' && (
        <Picker
          label={t.figureOf}
          values={over}
          chosen={applied ?? ''}
          nameOf={(each) => (each === '' ? t.oneColumn : functionWords[each][language].name)}
          onChoose={(each) => onChange({ ...figure, applied: each === '' ? undefined : each, paths: [] })}
        />
      )}
      {call !== 'count' && !applied && column(0, t.column, (found) => isAggregated(call, found))}
      {applied && column(0, t.firstColumn, isApplied(applied))}
      {applied && paths[0] && column(1, t.secondColumn, isApplied(applied))}
      {takesPercent(call) && (
        <label className="picker">
          {t.lists.percentile}
          <input
            type="number"
            min="1"
            max="100"
            value={percent}
            onChange={({ target }) => onChange({ ...figure, percent: target.value })}
          />
        </label>
      )}
      <h2>{t.onlyRows}</h2>
      <ConditionList
        scope={scopeOfRows(table, description, hasSeries(view))}
        by="all"
        of={conditions}
        depth={1}
        onChange={(of) => onChange({ ...figure, conditions: of })}
      />
    </>
  );
};

const ComputedFields = ({
  table,
  view,
  figure,
  onChange,
}: Pick<FigureEditorProps, 'table' | 'view'> & { readonly figure: ComputedFigure; readonly onChange: (figure: NamedFigure) => void }) => {
  const { description, language, t } = usePage();
  const { call, of, keys, periods } = figure;
  const keyNames = view.by.map(keyNameOf);
  const scope = scopeOfGroups(view, table, description);
  const figures = (scope.figures ?? []).map(({ path }) => path).filter((name) => !keyNames.includes(name) && name !== figure.name);
  const labelOfName = (name: string) => {
    const found = scope.find(name);
    return name === '' ? '…' : found ? labelOf(found, language) : name;
  };
  const takes = computation(call).keys;
  const toggle = (name: string) =>
    onChange({ ...figure, keys: keys.includes(name) ? keys.filter((each) => each !== name) : [...keys, name] });
  return (
    <>
      {Array.from({ length: operandCount(call) }, (_, at) => (
        <Picker
          // biome-ignore lint/suspicious/noArrayIndexKey: an operand is its place
          key={at}
          label={at === 0 ? t.firstFigure : t.secondFigure}
          values={[...new Set([of[at] ?? '', ...figures])]}
          chosen={of[at] ?? ''}
          nameOf={labelOfName}
          onChoose={(name) => onChange({ ...figure, of: at === 0 ? [name, ...of.slice(1)] : [of[0] ?? '', name] })}
        />
      ))}
      {takes === 'within' && keyNames.length > 0 && (
        <fieldset className="values">
          <legend>{t.within}</legend>
          {keyNames.map((name) => (
            <label key={name}>
              <input type="checkbox" checked={keys.includes(name)} onChange={() => toggle(name)} />
              <span>{labelOfName(name)}</span>
            </label>
          ))}
        </fieldset>
      )}
      {looksBack(call) && (
        <>
          <Picker
            label={t.along}
            values={['', ...keyNames]}
            chosen={keys[0] ?? ''}
            nameOf={(name) => (name === '' ? t.onlyTime : labelOfName(name))}
            onChoose={(name) => onChange({ ...figure, keys: name === '' ? [] : [name] })}
          />
          <label className="picker">
            {t.periods}
            <input
              type="number"
              min="1"
              max="1000"
              value={periods === '' ? '1' : periods}
              onChange={({ target }) => onChange({ ...figure, periods: target.value === '1' ? '' : target.value })}
            />
          </label>
        </>
      )}
    </>
  );
};

/** A name that no figure of the view has. */
const freeName = (call: string, taken: readonly string[]): string =>
  [call, ...taken.map((_, at) => `${call}_${at + 2}`)].find((name) => !taken.includes(name)) ?? call;

export const FigureEditor = ({ view, table, figure, onApply }: FigureEditorProps) => {
  const { description, t } = usePage();
  const taken = (scopeOfGroups(view, table, description).figures ?? []).map(({ path }) => path).filter((name) => name !== figure?.name);
  const [draft, setDraft] = useState<NamedFigure>(figure ?? newFigure('count', freeName('number', taken)));
  const [isNamed, setNamed] = useState(figure !== undefined);
  const isReady = isComplete(draft) && !taken.includes(draft.name);
  const choose = (call: (typeof calls)[number] | Computation) =>
    setDraft(newFigure(call, isNamed ? draft.name : freeName(call === 'count' ? 'number' : `${call}_1`, taken)));
  return (
    <div className="figure-editor">
      <label className="picker">
        {t.name}
        <input
          value={draft.name}
          title={t.nameHint}
          onChange={({ target }) => {
            setNamed(true);
            setDraft({ ...draft, name: target.value.trim().toLowerCase().replaceAll(/\s+/g, '_') });
          }}
        />
      </label>
      <Picker
        label={t.computation}
        values={calls}
        chosen={draft.call as (typeof calls)[number]}
        nameOf={(call) => t.lists[call]}
        onChoose={choose}
      />
      {draft.is === 'aggregate' ? (
        <AggregateFields table={table} view={view} figure={draft} onChange={setDraft} />
      ) : (
        <ComputedFields table={table} view={view} figure={draft} onChange={setDraft} />
      )}
      <p className="hint">{isReady ? '' : t.incomplete}</p>
      <button type="button" className="primary" disabled={!isReady} onClick={() => onApply(draft)}>
        {t.apply}
      </button>
    </div>
  );
};
