/** Fields for days: any field, and the day of figures with the reason why it is the day that it is. */

import type { ReactNode } from 'react';
import { isReportDay } from '../../../../catalogue/relative-days.ts';
import { today } from '../view/periods.ts';
import { usePage } from './context.ts';
import { dayText } from './figures.tsx';

/** Shows the day of a field as the page does while nobody edits it, because browsers show days in a style of their own. */
export const ShownDay = ({ day, children }: { readonly day: string; readonly children: ReactNode }) => {
  const { language } = usePage();
  return (
    <span className="shown-day" {...(isReportDay(day) && { 'data-day': dayText(day, language) })}>
      {children}
    </span>
  );
};

interface DayFieldProps {
  readonly day: string;
  readonly onChange: (day: string) => void;
}

export const DayField = ({ day, onChange }: DayFieldProps) => {
  const { description, language, t } = usePage();
  return (
    <>
      <label className="picker">
        {t.day}
        <ShownDay day={day}>
          <input
            type="date"
            value={day}
            max="2199-12-31"
            onChange={({ target }) => target.validity.valid && target.value && onChange(target.value)}
          />
        </ShownDay>
      </label>
      {day === description.day && day !== today() && <span className="hint">{t.lastBooking(dayText(day, language))}</span>}
    </>
  );
};
