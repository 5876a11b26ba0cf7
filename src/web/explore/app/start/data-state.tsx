/** The age of the data, and the checks that failed, of the tables of the key. */
import { Fragment } from 'react';
import { ageText } from '../../../browser/age.ts';
import type { OwnRights, OwnTable } from '../../../browser/answers.ts';
import { send } from '../parts/api.ts';
import { usePage } from '../parts/context.ts';
import { ViewLink } from '../parts/view-link.tsx';
import { tableOf } from '../view/tables.ts';
import { viewOfTable } from '../view/view.ts';

export type TableStates = ReadonlyMap<string, OwnTable>;

export const readStates = async (path: string, signal: AbortSignal): Promise<TableStates> => {
  const { tables }: OwnRights = await (await send(path, { signal })).json();
  return new Map(tables.map((state) => [state.table, state]));
};

export const AgeOfData = ({ states }: { readonly states: TableStates | undefined }) => {
  const { description, language, t } = usePage();
  const known = [...(states?.values() ?? [])].filter(({ table }) => tableOf(description, table));
  const ages = known.flatMap(({ age_seconds }) => age_seconds ?? []);
  const failed = known.filter(({ failed_checks }) => failed_checks.length > 0);
  return (
    <p className="hint data-state" role="status">
      {!states && '…'}
      {ages.length > 0 && t.dataLoaded(ageText(Math.max(...ages), language))}
      {states && failed.length === 0 && ` · ${t.noFailedChecks}`}
      {failed.map(({ table: name, failed_checks }) => {
        const table = tableOf(description, name)!;
        return (
          <Fragment key={name}>
            {' · '}
            <ViewLink view={viewOfTable(table.category, name)}>
              {table.label[language]}: {t.checks(failed_checks.length)}
            </ViewLink>
          </Fragment>
        );
      })}
    </p>
  );
};
