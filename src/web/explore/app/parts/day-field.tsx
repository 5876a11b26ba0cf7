/** The day of figures, which the reader can change, and why it is the day that it is. */
import { today } from '../view/periods.ts';
import { usePage } from './context.ts';
import { dayText } from './figures.tsx';

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
        <input
          type="date"
          value={day}
          max="2199-12-31"
          onChange={({ target }) => target.validity.valid && target.value && onChange(target.value)}
        />
      </label>
      {day === description.day && day !== today() && <span className="hint">{t.lastBooking(dayText(day, language))}</span>}
    </>
  );
};
