/** Makes and changes a condition on one value: its form by words, then what the form needs. */
import { useEffect, useRef, useState } from 'react';
import { usePage } from '../parts/context.ts';
import { isAmount } from '../parts/values.ts';
import type { ValueCondition } from '../view/condition-tree.ts';
import { type Form, formOf, formsOn, inputOf, isMoment, isOwnForm, operatorLabel } from '../view/forms.ts';
import type { Scope } from '../view/scope.ts';
import type { FoundColumn } from '../view/tables.ts';
import { BoundsFields, Presets, TimeFields, ValueField } from './value-fields.tsx';
import { ValueList } from './value-list.tsx';

interface ValueEditorProps {
  readonly scope: Scope;
  readonly found: FoundColumn;
  readonly condition: ValueCondition | undefined;
  /** The conditions of the rows whose values are offered. */
  readonly others: readonly string[];
  /** Whether the reader comes from the choice of the column, so that the focus follows. */
  readonly isNew?: boolean;
  readonly onChange: (condition: ValueCondition | undefined) => void;
}

/** The texts of a condition, which another form takes over. */
const textsOf = (condition: ValueCondition | undefined): readonly string[] =>
  condition === undefined
    ? []
    : condition.is === 'compared'
      ? [condition.value]
      : condition.is === 'called'
        ? condition.values
        : [condition.from, condition.to];

/** The condition of a form with texts. Undefined if a text is missing. */
const conditionWith = (form: Form, name: string, texts: readonly string[]): ValueCondition | undefined => {
  const [first] = texts;
  if (isOwnForm(form)) return undefined;
  const input = inputOf(form);
  if (input === 'nothing') return { is: 'called', name, call: form as never, values: [] };
  if (first === undefined) return undefined;
  if (input === 'value') return { is: 'compared', name, by: form as never, value: first };
  // One of one value is that value.
  if (input === 'values' && texts.length === 1) return { is: 'compared', name, by: form === 'in' ? 'eq' : 'ne', value: first };
  return { is: 'called', name, call: form as never, values: input === 'text' ? [first] : texts };
};

const listForms: Partial<Readonly<Record<Form, Form>>> = { eq: 'in', ne: 'not_in' };

export const ValueEditor = ({ scope, found, condition, others, isNew = false, onChange }: ValueEditorProps) => {
  const { language, t } = usePage();
  const { path: name, column } = found;
  const isRange = isMoment(column.kind) || isAmount(column);
  const standard: Form = !isRange ? 'in' : scope.figures && !isMoment(column.kind) ? 'gte' : 'between';
  const [picked, setPicked] = useState<Form>();
  const written = condition && formOf(condition);
  const form = picked ?? (written === undefined ? standard : isRange ? written : (listForms[written] ?? written));
  const select = useRef<HTMLSelectElement>(null);
  useEffect(() => {
    if (isNew) select.current?.focus();
  }, [isNew]);
  const forms = formsOn(column.kind);
  const labelOf = (each: Form) => (isOwnForm(each) ? t.forms[each] : operatorLabel(each, column.kind, language));
  const texts = textsOf(condition);
  const pick = (next: Form) => {
    setPicked(next);
    // Two bounds are no list of values.
    const carried = condition?.is === 'between' && inputOf(next) === 'values' ? undefined : conditionWith(next, name, texts);
    if (carried) onChange(carried);
  };
  const choose = (next: ValueCondition | undefined) => {
    setPicked(undefined);
    onChange(next);
  };
  const selectEmpty = (isSelected: boolean) => {
    setPicked('in');
    onChange(isSelected ? { is: 'called', name, call: 'is_null', values: [] } : undefined);
  };
  const input = inputOf(form);
  const values = condition?.is === 'called' && inputOf(condition.call) === 'nothing' ? [] : texts;
  const key = `${form} ${texts.join('\0')}`;
  return (
    <div className="filter-editor">
      <label className="picker">
        {t.form}
        <select ref={select} value={form} onChange={({ target }) => pick(target.value as Form)}>
          {(forms.includes(form) ? forms : [...forms, form]).map((each) => (
            <option key={each} value={each}>
              {labelOf(each)}
            </option>
          ))}
        </select>
      </label>
      {isRange && <Presets found={found} condition={condition} onChange={choose} />}
      {input === 'bounds' && <BoundsFields key={key} found={found} condition={condition} onChange={onChange} />}
      {input === 'time' && isOwnForm(form) && <TimeFields key={form} found={found} form={form} condition={condition} onChange={onChange} />}
      {(input === 'value' || input === 'text') && (
        <ValueField
          key={key}
          found={found}
          label={labelOf(form)}
          value={texts[0] ?? ''}
          onSend={(text) => onChange(conditionWith(form, name, [text]))}
        />
      )}
      {input === 'values' && (
        <ValueList
          table={scope.figures || found.isComputed ? undefined : scope.table}
          found={found}
          others={others}
          selected={values}
          isLeftOut={form === 'not_in'}
          isEmptySelected={condition?.is === 'called' && condition.call === 'is_null'}
          onSelect={(chosen) => onChange(conditionWith(form, name, chosen))}
          onSelectEmpty={form === 'in' ? selectEmpty : undefined}
          onContains={
            column.kind === 'string' && !column.codes
              ? (text) => choose({ is: 'called', name, call: 'icontains', values: [text] })
              : undefined
          }
        />
      )}
    </div>
  );
};
