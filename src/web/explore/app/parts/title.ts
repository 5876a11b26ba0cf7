/** The title of the window names the view, so that tabs, bookmarks and the history of the browser tell views apart. */
import { useEffect } from 'react';
import type { DescribedTable } from '../../described.ts';
import { conditionTexts } from '../conditions/words.ts';
import { findColumn, labelOf } from '../view/tables.ts';
import type { View } from '../view/view.ts';
import { usePage } from './context.ts';

/** `subject` is the name of the shown row, or the title of a report. */
export const useTitle = (view: View | undefined, table: DescribedTable | undefined, subject?: string): void => {
  const { description, language, t } = usePage();
  const words = (): string => {
    if (!view || !table) return t.title;
    if (view.report.length > 0 && subject !== undefined) return subject;
    if (view.shows === 'row') return `${subject ?? '…'} – ${table.label[language]}`;
    const keys = view.by.map((key) => {
      const found = findColumn(description, table, key.replace(/:.*$/s, ''));
      return found ? labelOf(found, language) : t.asOf;
    });
    const conditions = conditionTexts(view.where, table, { description, language });
    const name = keys.length > 0 ? t.groupedBy(table.label[language], keys.join(', ')) : table.label[language];
    return [name, ...conditions].join(' · ');
  };
  const title = words();
  useEffect(() => {
    document.title = view ? `${title} – ${t.title}` : title;
  }, [title, view, t]);
};
