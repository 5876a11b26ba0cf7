/** Conditions as people read them. */
import { kinds } from '../../../../catalogue/kinds.ts';
import { connectiveLabels, countLabels, quantifierLabels } from '../../../../plan/vocabulary/labels.ts';
import { Figure } from '../../../browser/exact.ts';
import type { DescribedColumn, DescribedTable, Description, LanguageCode } from '../../described.ts';
import { textsOf } from '../parts/texts.ts';
import { periodText, valueText } from '../parts/values.ts';
import { type Condition, entriesOf, isEmptyCall, itemsOfCondition, type ValueCondition } from '../view/condition-tree.ts';
import { daysOf, operatorLabel } from '../view/forms.ts';
import { periodOfDays } from '../view/periods.ts';
import { type Scope, scopeOfRows } from '../view/scope.ts';
import { searchedFor } from '../view/search.ts';
import { type FoundColumn, labelOf, labelOfRelations } from '../view/tables.ts';

interface Reader {
  readonly description: Description;
  readonly language: LanguageCode;
}

/** A value of a condition, written as in the address. */
export const writtenText = (text: string, column: DescribedColumn, { description, language }: Reader): string => {
  if (column.kind === 'boolean' && kinds.boolean.parse(text) !== undefined) return textsOf[language][text === 'true' ? 'yes' : 'no'];
  const isNumber = ['number', 'integer', 'bigint'].includes(column.kind) && /^-?\d+(\.\d+)?$/.test(text);
  return valueText(isNumber ? new Figure(text) : text, column, description, language);
};

const searched = /^(?:not_)?i?(contains|starts_with|ends_with)$/;

const valueWords = (condition: ValueCondition, { column }: FoundColumn, reader: Reader): string => {
  const { language } = reader;
  const t = textsOf[language];
  const shown = (text: string) => writtenText(text, column, reader);
  if (condition.is === 'between') {
    const days = daysOf(condition, column.kind);
    const period = days && periodOfDays(days.from, days.to);
    if (days && period) return periodText(days.from, period, language);
    const [from, to] = days ? [days.from, days.to] : [condition.from, condition.to];
    return !days && condition.by === 'lt' ? t.toBelow(shown(from), shown(to)) : `${shown(from)} – ${shown(to)}`;
  }
  const form = condition.is === 'compared' ? condition.by : condition.call;
  // A colon after the column replaces "is".
  const operator = form === 'eq' || form === 'in' ? '' : operatorLabel(form, column.kind, language).replace(/^(?:is|ist) /, '');
  if (condition.is === 'compared') return `${operator} ${shown(condition.value)}`.trim();
  if (isEmptyCall(condition.call)) return operator;
  const values = searched.test(form) ? condition.values.map(t.quoted) : condition.values.map(shown);
  return `${operator} ${values.join(', ')}`.trim();
};

export const conditionWords = (condition: Condition, scope: Scope, reader: Reader): string => {
  const { language } = reader;
  switch (condition.is) {
    case 'other':
      return condition.text;
    case 'joined': {
      const parts = condition.of.map((each) => conditionWords(each, scope, reader));
      return parts.length > 1 ? `(${parts.join(` ${connectiveLabels[condition.by][language]} `)})` : parts.join();
    }
    case 'related':
    case 'counted': {
      const found = scope.findRelated(condition.name);
      const inner = found && scopeOfRows(found.target, reader.description);
      const name = found ? labelOfRelations(found.relations, language) : condition.name;
      const of = condition.of.map((each) => (inner ? conditionWords(each, inner, reader) : itemText(each)));
      const conditions = of.length > 0 ? ` (${of.join(` ${connectiveLabels.all[language]} `)})` : '';
      const number =
        condition.is === 'counted' ? `${countLabels[condition.by][language]} ${condition.value}` : quantifierLabels[condition.by][language];
      return `${name}: ${number}${conditions}`;
    }
    default: {
      const found = scope.find(condition.name);
      return found ? `${labelOf(found, language)}: ${valueWords(condition, found, reader)}` : itemText(condition);
    }
  }
};

/** A condition about something that the reader's key does not have, as it is written. */
const itemText = (condition: Condition): string => itemsOfCondition(condition).join();

/** The conditions of rows in words. A search is its text. */
export const conditionTexts = (where: readonly string[], table: DescribedTable, reader: Reader): readonly string[] => {
  const scope = scopeOfRows(table, reader.description);
  const t = textsOf[reader.language];
  return entriesOf(where).map(({ condition, items }) => {
    const text = searchedFor(items.join(), table, reader.description);
    return text === undefined ? conditionWords(condition, scope, reader) : `${t.search}: ${t.quoted(text)}`;
  });
};
