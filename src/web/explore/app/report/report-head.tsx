/** The heading of a view: the title of its report with fields for the day, a property and a city, or the name of the table. */
import { useEffect, useState } from 'react';
import { isObject, type JsonObject } from '../../../browser/exact.ts';
import { type Cell, textOf } from '../../../browser/list.ts';
import { savedQuestions } from '../../../browser/questions/saved-questions.ts';
import type { DescribedTable } from '../../described.ts';
import { operatorView } from '../operator/reader.ts';
import { useAnswer } from '../parts/api.ts';
import { usePage } from '../parts/context.ts';
import { selectedValues } from '../view/conditions.ts';
import { choosing, onDay, placeFieldsOf, reportOf } from '../view/report.ts';
import { tableOf } from '../view/tables.ts';
import { addressOf, type View } from '../view/view.ts';

interface ReportProps {
  readonly view: View;
  readonly table: DescribedTable;
}

/** The title of the report of a view. Undefined for views of another origin. */
export const useReportTitle = (view: View): string | undefined => {
  const { description, language } = usePage();
  const [saved, setSaved] = useState<string>();
  const [name] = view.report;
  const known = reportOf(view, description);
  useEffect(() => {
    if (name === undefined || known || operatorView) return;
    savedQuestions().then((questions) => setSaved(questions.find((each) => each.name === name)?.title));
  }, [name, known]);
  return known ? known.question.title[language] : name === undefined ? undefined : saved;
};

/** The heading, and the name of the table below the title of a report. */
export const ViewTitle = ({ view, table }: ReportProps) => {
  const { language } = usePage();
  const title = useReportTitle(view);
  return (
    <>
      {title !== undefined && <p className="hint">{table.label[language]}</p>}
      <h1>{title ?? table.label[language]}</h1>
    </>
  );
};

interface ChoiceProps extends ReportProps {
  readonly label: string;
  readonly path: string;
  readonly choices: readonly (readonly [value: string, label: string])[];
}

const Choice = ({ view, label, path, choices }: ChoiceProps) => {
  const { t, go } = usePage();
  const [chosen = ''] = selectedValues(view.where, path);
  const missing = chosen !== '' && !choices.some(([value]) => value === chosen);
  return (
    <label className="picker">
      {label}
      <select value={chosen} onChange={({ target }) => go(choosing(view, path, target.value))}>
        <option value="">{t.allValues}</option>
        {missing && <option value={chosen}>{chosen}</option>}
        {choices.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
};

const textIn = (row: JsonObject, name: string): string => {
  const value = (row[name] ?? null) as Cell;
  return value === null ? '' : textOf(value);
};

/** Properties in one request. Longer lists have the condition editor. */
const mostProperties = 1_000;

export const ReportFields = ({ view, table }: ReportProps) => {
  const { description, language, t, go } = usePage();
  const report = reportOf(view, description);
  const fields = placeFieldsOf(table, description);
  const properties = tableOf(description, 'properties');
  const isAsked = report && properties && (fields.property || fields.city);
  const columns = ['property_id', 'property_name', 'city'];
  const { answer } = useAnswer(
    isAsked
      ? addressOf('/property/properties', [
          ['columns', columns.join()],
          ['order', 'property_name'],
          ['limit', String(mostProperties)],
        ])
      : undefined,
  );
  if (!report) return null;
  const rows = (answer?.rows ?? []).filter(isObject);
  const { compare } = new Intl.Collator(language, { numeric: true });
  const cities = [...new Set(rows.map((row) => textIn(row, 'city')).filter(Boolean))].sort(compare);
  const move = (day: string) => go(onDay(view, table, description, day));
  const year = report.day.slice(0, 4);
  const years = Array.from({ length: 12 }, (_, index) => String(Number(description.day.slice(0, 4)) + 1 - index));
  return (
    <fieldset className="report-fields" aria-label={t.report}>
      {report.asks === 'day' && (
        <label className="picker">
          {t.day}
          <input
            type="date"
            defaultValue={report.day}
            key={report.day}
            max="2199-12-31"
            onChange={({ target }) => target.validity.valid && target.value > '1900' && move(target.value)}
          />
        </label>
      )}
      {report.asks === 'year' && (
        <label className="picker">
          {t.year}
          <select value={year} onChange={({ target }) => move(`${target.value}${description.day.slice(4)}`)}>
            {(years.includes(year) ? years : [year, ...years]).map((each) => (
              <option key={each} value={each}>
                {each}
              </option>
            ))}
          </select>
        </label>
      )}
      {isAsked && fields.property && (
        <Choice
          view={view}
          table={table}
          label={t.property}
          path={fields.property}
          choices={rows.map((row) => [textIn(row, 'property_id'), `${textIn(row, 'property_name')} (${textIn(row, 'property_id')})`])}
        />
      )}
      {isAsked && fields.city && (
        <Choice view={view} table={table} label={t.city} path={fields.city} choices={cities.map((city) => [city, city])} />
      )}
    </fieldset>
  );
};
