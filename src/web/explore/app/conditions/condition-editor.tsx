/** Makes and changes a condition of any kind: on a value, on related rows, and alternatives. Each change is written to the address at once. */
import { useEffect, useRef, useState } from 'react';
import { connectiveLabels, countLabels, labelsIn, quantifierLabels } from '../../../../plan/vocabulary/labels.ts';
import {
  type ComparisonOperator,
  type Connective,
  type QuantifierName,
  quantifierNames,
  quantifiers,
} from '../../../../plan/vocabulary/operators.ts';
import { writtenFunction } from '../../../../query/write/items.ts';
import { Picker } from '../../../browser/controls.tsx';
import { ColumnList } from '../parts/column-list.tsx';
import { usePage } from '../parts/context.ts';
import { type Condition, canNest, extended, isOnValue, joinedBy, withChanged } from '../view/condition-tree.ts';
import { type Scope, scopeOfRows } from '../view/scope.ts';
import { type FoundColumn, labelOf, labelOfRelations } from '../view/tables.ts';
import { FunctionPicker } from './function-picker.tsx';
import { ValueEditor } from './value-editor.tsx';
import { CountField } from './value-fields.tsx';
import { conditionWords } from './words.ts';

const FigureList = ({
  figures,
  onChoose,
}: {
  readonly figures: readonly FoundColumn[];
  readonly onChoose: (found: FoundColumn) => void;
}) => {
  const { language, t } = usePage();
  const [searched, setSearched] = useState('');
  const wanted = searched.trim().toLowerCase();
  return (
    <div className="column-list">
      <input
        type="search"
        aria-label={t.searchColumns}
        placeholder={t.searchColumns}
        value={searched}
        onChange={({ target }) => setSearched(target.value)}
      />
      <ul>
        {figures
          .filter((each) => `${labelOf(each, language)} ${each.path}`.toLowerCase().includes(wanted))
          .map((each) => (
            <li key={each.path}>
              <button type="button" title={each.path} onClick={() => onChoose(each)}>
                {labelOf(each, language)}
              </button>
            </li>
          ))}
      </ul>
    </div>
  );
};

interface SubjectListProps {
  readonly scope: Scope;
  /** The number of calls around the condition. */
  readonly depth: number;
  readonly onChoose: (found: FoundColumn) => void;
  readonly onChooseRelated: (condition: Condition) => void;
}

/** What a new condition is about: a column, a function of two, a figure, or related rows, which need no further condition. */
export const SubjectList = ({ scope, depth, onChoose, onChooseRelated }: SubjectListProps) => {
  const { t } = usePage();
  if (scope.figures) return <FigureList figures={scope.figures} onChoose={onChoose} />;
  const addRelated = (name: string) => onChooseRelated({ is: 'related', name, by: 'some', of: [] });
  return (
    <>
      <ColumnList table={scope.table} onChoose={onChoose} onChooseRelated={canNest(depth) ? addRelated : undefined} />
      <FunctionPicker
        table={scope.table}
        label={t.computedValue}
        action={t.addCondition}
        onChoose={(call, paths) => {
          const found = scope.find(writtenFunction(call, paths));
          if (found) onChoose(found);
        }}
      />
    </>
  );
};

interface ConditionListProps {
  readonly scope: Scope;
  readonly by: Connective;
  readonly of: readonly Condition[];
  readonly depth: number;
  readonly onChange: (of: readonly Condition[]) => void;
}

/** The conditions within a condition. One of them is open at a time. */
export const ConditionList = ({ scope, by, of, depth, onChange }: ConditionListProps) => {
  const { description, language, t } = usePage();
  const [opened, setOpened] = useState<number>();
  const [isAdded, setAdded] = useState(false);
  return (
    <>
      <ul className="conditions">
        {of.map((condition, at) => {
          const text = conditionWords(condition, scope, { description, language });
          const isOpen = opened === at;
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a condition is its place
            <li key={at}>
              {at > 0 && <span className="hint">{connectiveLabels[by][language]}</span>}
              <div className="condition">
                <button
                  type="button"
                  className="shown"
                  aria-expanded={isOpen}
                  onClick={() => {
                    setAdded(false);
                    setOpened(isOpen ? undefined : at);
                  }}
                >
                  {text}
                </button>
                <button
                  type="button"
                  aria-label={t.removeFilter(text)}
                  onClick={() => {
                    setOpened(undefined);
                    onChange(withChanged(of, at, undefined));
                  }}
                >
                  ✕
                </button>
              </div>
              {isOpen && (
                <ConditionEditor
                  scope={scope}
                  condition={condition}
                  within={by}
                  depth={depth}
                  others={[]}
                  isNew={isAdded}
                  onChange={(changed) => {
                    if (!changed) setOpened(undefined);
                    onChange(withChanged(of, at, changed));
                  }}
                />
              )}
            </li>
          );
        })}
      </ul>
      <Added
        label={of.length === 0 ? t.addCondition : `+ ${connectiveLabels[by][language]} …`}
        scope={scope}
        depth={depth}
        onAdd={(condition) => {
          setAdded(true);
          setOpened(of.length);
          onChange([...of, condition]);
        }}
      />
    </>
  );
};

interface AddedProps {
  readonly scope: Scope;
  readonly depth: number;
  readonly label: string;
  readonly onAdd: (condition: Condition) => void;
}

/** A button that asks for another condition: first for its column. Nothing is written before the condition is complete. */
const Added = ({ scope, depth, label, onAdd }: AddedProps) => {
  const { language } = usePage();
  const [isOpen, setOpen] = useState(false);
  const [found, setFound] = useState<FoundColumn>();
  const place = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isOpen) place.current?.querySelector('input')?.focus();
  }, [isOpen]);
  const add = (condition: Condition) => {
    setOpen(false);
    setFound(undefined);
    onAdd(condition);
  };
  if (!isOpen)
    return (
      <button type="button" className="more" onClick={() => setOpen(true)}>
        {label}
      </button>
    );
  return (
    <section ref={place} aria-label={label} className="nested">
      {found ? (
        <>
          <h2>{labelOf(found, language)}</h2>
          <ValueEditor
            scope={scope}
            found={found}
            condition={undefined}
            others={[]}
            isNew
            onChange={(condition) => condition && add(condition)}
          />
        </>
      ) : (
        <SubjectList scope={scope} depth={depth} onChoose={setFound} onChooseRelated={add} />
      )}
    </section>
  );
};

interface RelatedEditorProps {
  readonly scope: Scope;
  readonly condition: Extract<Condition, { is: 'related' | 'counted' }>;
  readonly depth: number;
  readonly onChange: (condition: Condition) => void;
}

const RelatedEditor = ({ scope, condition, depth, onChange }: RelatedEditorProps) => {
  const { description, language } = usePage();
  const found = scope.findRelated(condition.name);
  if (!found) return null;
  const isOffered = (name: QuantifierName) =>
    name === condition.by || !quantifiers[name].isValidOnDay || (scope.hasDay && found.target.validity !== undefined);
  const labels = { ...labelsIn(quantifierLabels, language), ...labelsIn(countLabels, language) };
  const isCount = (by: QuantifierName | ComparisonOperator): by is ComparisonOperator => Object.hasOwn(countLabels, by);
  const { name, of } = condition;
  const value = condition.is === 'counted' ? condition.value : '1';
  return (
    <>
      <Picker
        label={labelOfRelations(found.relations, language)}
        values={[...quantifierNames.filter(isOffered), ...(Object.keys(countLabels) as ComparisonOperator[])]}
        chosen={condition.by}
        nameOf={(by) => `${labels[by]}${isCount(by) ? ' …' : ''}`}
        onChoose={(by) => onChange(isCount(by) ? { is: 'counted', name, by, value, of } : { is: 'related', name, by, of })}
      />
      {condition.is === 'counted' && (
        <CountField
          key={value}
          label={labels[condition.by]}
          value={value}
          onSend={(changed) => onChange({ ...condition, value: changed })}
        />
      )}
      <ConditionList
        scope={scopeOfRows(found.target, description, scope.hasDay)}
        by="all"
        of={of}
        depth={depth + 1}
        onChange={(changed) => onChange({ ...condition, of: changed })}
      />
    </>
  );
};

interface ConditionEditorProps {
  readonly scope: Scope;
  /** Undefined for a new condition on a column. */
  readonly condition: Condition | undefined;
  readonly column?: FoundColumn | undefined;
  /** How the condition is joined with its neighbours. */
  readonly within: Connective;
  readonly depth: number;
  /** The conditions of the rows whose values are offered. */
  readonly others: readonly string[];
  /** Whether the reader has just added it, so that the focus follows. */
  readonly isNew?: boolean;
  readonly onChange: (condition: Condition | undefined) => void;
}

export const ConditionEditor = ({ scope, condition, column, within, depth, others, isNew = false, onChange }: ConditionEditorProps) => {
  const { language } = usePage();
  if (condition?.is === 'joined')
    return (
      <ConditionList
        scope={scope}
        by={condition.by}
        of={condition.of}
        depth={depth + 1}
        onChange={(of) => onChange(joinedBy(condition.by, of))}
      />
    );
  const other = within === 'all' ? 'any' : 'all';
  const value = condition && isOnValue(condition) ? condition : undefined;
  const found = value ? scope.find(value.name) : condition ? undefined : column;
  return (
    <>
      {(condition?.is === 'related' || condition?.is === 'counted') && (
        <RelatedEditor scope={scope} condition={condition} depth={depth} onChange={onChange} />
      )}
      {found && <ValueEditor scope={scope} found={found} condition={value} others={others} isNew={isNew} onChange={onChange} />}
      {condition && canNest(depth) && (
        <Added
          label={`+ ${connectiveLabels[other][language]} …`}
          scope={scope}
          depth={depth + 1}
          onAdd={(more) => onChange(extended(condition, other, more))}
        />
      )}
    </>
  );
};
