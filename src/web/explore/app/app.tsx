/** The page: the description of the key's tables, the language, and the view of the address. */
import { useEffect, useMemo, useState } from 'react';
import { Picker } from '../../browser/controls.tsx';
import { showFrameIn } from '../../browser/frame-language.ts';
import { storedLanguage, storeLanguage } from '../../browser/values.ts';
import type { Description } from '../described.ts';
import { GroupsView } from './groups/groups-view.tsx';
import { OperatorBanner } from './operator/banner.tsx';
import { canRead, operatorView } from './operator/reader.ts';
import { operatorTextsOf } from './operator/texts.ts';
import { Failure, send, useRead } from './parts/api.ts';
import { type Page, PageContext } from './parts/context.ts';
import { FailureNote } from './parts/failure.tsx';
import { useView } from './parts/history.ts';
import { QuotaNote } from './parts/quota.tsx';
import { Skeleton } from './parts/skeleton.tsx';
import { type LanguageCode, textsOf } from './parts/texts.ts';
import { RowView } from './row/row-view.tsx';
import { RowsView } from './rows/rows-view.tsx';
import { Start } from './start/start.tsx';
import { tableOf } from './view/tables.ts';
import type { View } from './view/view.ts';

const describe = async (path: string, signal: AbortSignal): Promise<Description> => (await send(path, { signal })).json();

const languageNames = { en: 'English', de: 'Deutsch' } as const;

const views = { rows: RowsView, groups: GroupsView, row: RowView } as const;

const Shown = ({ view, description, language }: { view: View | undefined; description: Description; language: LanguageCode }) => {
  if (description.tables.length === 0)
    return <p className="notice">{(operatorView ? operatorTextsOf : textsOf)[language].failures.noTables}</p>;
  if (!view) return <Start />;
  const table = tableOf(description, view.table);
  if (!table || table.category !== view.category) return <FailureNote failure={new Failure(404, '')} language={language} />;
  const Content = views[view.shows];
  return <Content key={`${view.shows} ${table.name}`} view={view} table={table} />;
};

export const App = () => {
  const [language, setLanguage] = useState(storedLanguage);
  const { view, isBroken, go } = useView();
  const { answer: description, failure, retry } = useRead(canRead ? '/explore/description' : undefined, describe);
  const t = textsOf[language];
  useEffect(() => {
    showFrameIn(language, textsOf[language].key);
  }, [language]);
  const page = useMemo((): Page | undefined => description && { description, language, t, go }, [description, language, t, go]);
  const choose = (code: LanguageCode) => {
    storeLanguage(code);
    setLanguage(code);
  };
  return (
    <div className="explore" lang={language}>
      <div className="explore-head">
        {view ? (
          <a
            className="back"
            href={location.pathname}
            onClick={(event) => {
              event.preventDefault();
              go(undefined);
            }}
          >
            ← {t.back}
          </a>
        ) : (
          <h1>{t.title}</h1>
        )}
        <Picker
          label={t.language}
          values={['en', 'de'] as const}
          chosen={language}
          nameOf={(code) => languageNames[code]}
          onChoose={choose}
        />
      </div>
      {operatorView && <OperatorBanner view={operatorView} language={language} />}
      {!canRead && <p className="notice">{t.failures.noKey}</p>}
      {failure && <FailureNote failure={failure} language={language} onRetry={retry} />}
      {canRead && !page && !failure && <Skeleton />}
      {page && (
        <PageContext value={page}>
          {isBroken && (
            <p className="notice" role="status">
              {t.broken}
            </p>
          )}
          <Shown view={view} description={page.description} language={language} />
        </PageContext>
      )}
      <QuotaNote language={language} />
    </div>
  );
};
