/** The pages of a table. The page is part of the address of the view. */
import type { View } from '../view/view.ts';
import { usePage } from './context.ts';
import { countText } from './values.ts';

interface PagerProps {
  readonly page: number;
  readonly size: number;
  /** All rows or groups. */
  readonly total: number;
  readonly isLoading: boolean;
  readonly onChange: (part: Partial<View>) => void;
}

export const Pager = ({ page, size, total, isLoading, onChange }: PagerProps) => {
  const { language, t } = usePage();
  const from = (page - 1) * size;
  const to = Math.min(from + size, total);
  const shown = [from + 1, to, total].map((count) => countText(count, language)) as [string, string, string];
  return (
    <nav className="pager" aria-label={t.title}>
      <span className="hint">{from < total ? t.page(...shown) : t.noRows}</span>
      <span className="actions">
        <button type="button" disabled={page < 2 || isLoading} onClick={() => onChange({ page: page - 1 })}>
          {t.previous}
        </button>
        <button type="button" disabled={to >= total || isLoading} onClick={() => onChange({ page: page + 1 })}>
          {t.next}
        </button>
      </span>
    </nav>
  );
};
