/** The conditions of a view as chips in words. A click on a chip changes it, and a menu adds one of any kind. */
import { type ReactNode, useState } from 'react';
import { usePage } from '../parts/context.ts';
import { Menu } from '../parts/menu.tsx';
import { entriesOf, isOnValue, itemsOfCondition, partsOf, replacedAt } from '../view/condition-tree.ts';
import type { Scope } from '../view/scope.ts';
import { type FoundColumn, labelOf } from '../view/tables.ts';
import { ConditionEditor, SubjectList } from './condition-editor.tsx';
import { ValueEditor } from './value-editor.tsx';
import { conditionWords } from './words.ts';

interface ConditionsProps {
  readonly scope: Scope;
  /** The items of the address. */
  readonly items: readonly string[];
  readonly onChange: (items: readonly string[]) => void;
}

const itemsWithout = (items: readonly string[], at: number): readonly string[] => replacedAt(items, at, undefined);

/** Adds a condition, which stays open for changes. */
const AddCondition = ({ scope, items, onChange, close }: ConditionsProps & { readonly close: () => void }) => {
  const { language } = usePage();
  const [column, setColumn] = useState<FoundColumn>();
  const [at, setAt] = useState<number>();
  const entries = entriesOf(items);
  const condition = at === undefined ? undefined : entries[at]?.condition;
  if (at === undefined || (!condition && !column))
    return (
      <SubjectList
        scope={scope}
        depth={0}
        onChoose={(found) => {
          setColumn(found);
          setAt(entries.length);
        }}
        onChooseWhole={(whole) => {
          const parts = partsOf(whole, 'all');
          if (parts.length === 1) setAt(entries.length);
          else close();
          onChange([...items, ...parts.flatMap(itemsOfCondition)]);
        }}
      />
    );
  return (
    <>
      {column && <h2>{labelOf(column, language)}</h2>}
      <ConditionEditor
        scope={scope}
        condition={condition}
        column={column}
        within="all"
        depth={0}
        others={itemsWithout(items, at)}
        isNew
        onChange={(changed) => onChange(replacedAt(items, at, changed))}
      />
    </>
  );
};

/** The condition of one column in its menu: the first one on it, or a new one. */
export const ColumnCondition = ({ scope, items, onChange, name }: ConditionsProps & { readonly name: string }) => {
  const entries = entriesOf(items);
  const own = entries.findIndex(({ condition }) => isOnValue(condition) && condition.name === name);
  const at = own < 0 ? entries.length : own;
  const condition = entries[at]?.condition;
  const found = scope.find(name);
  if (!found || (condition && !isOnValue(condition))) return null;
  return (
    <ValueEditor
      scope={scope}
      found={found}
      condition={condition}
      others={itemsWithout(items, at)}
      onChange={(changed) => onChange(replacedAt(items, at, changed))}
    />
  );
};

interface ConditionBarProps extends ConditionsProps {
  readonly label: string;
  /** Conditions that are shown elsewhere, or in words of their own. */
  readonly textOf?: (items: readonly string[]) => string | 'hidden' | undefined;
  readonly children?: ReactNode;
}

export const ConditionBar = ({ scope, items, onChange, label, textOf = () => undefined, children }: ConditionBarProps) => {
  const { description, language, t } = usePage();
  const entries = entriesOf(items);
  const chips = entries.map((entry) => textOf(entry.items));
  const shown = entries.flatMap((_, at) => (chips[at] === 'hidden' ? [] : [at]));
  const clear = () => onChange(entries.flatMap((entry, at) => (chips[at] === 'hidden' ? entry.items : [])));
  return (
    <div className="filter-bar">
      {children}
      <Menu label={`+ ${label}`} className="chip add">
        {(close) => <AddCondition scope={scope} items={items} onChange={onChange} close={close} />}
      </Menu>
      {shown.map((at) => {
        const { condition } = entries[at]!;
        const own = chips[at];
        const text = own ?? conditionWords(condition, scope, { description, language });
        return (
          <span key={at} className="chip">
            {own !== undefined || condition.is === 'other' ? (
              text
            ) : (
              <Menu label={text} className="words">
                {() => (
                  <ConditionEditor
                    scope={scope}
                    condition={condition}
                    within="all"
                    depth={0}
                    others={itemsWithout(items, at)}
                    onChange={(changed) => onChange(replacedAt(items, at, changed))}
                  />
                )}
              </Menu>
            )}
            <button type="button" aria-label={t.removeFilter(text)} onClick={() => onChange(itemsWithout(items, at))}>
              ✕
            </button>
          </span>
        );
      })}
      {shown.length > 1 && (
        <button type="button" className="plain" onClick={clear}>
          {t.clearFilters}
        </button>
      )}
    </div>
  );
};
