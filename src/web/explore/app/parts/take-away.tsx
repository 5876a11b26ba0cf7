/** What leaves the page: the REST address of the view, a link to it, and its rows as CSV. */
import { useState } from 'react';
import { download } from '../../../browser/download.ts';
import { serviceAddress, servicePath } from '../../../browser/service.ts';
import { fragmentOf as operationLink } from '../../../graphiql/studio/operations/link.ts';
import type { DescribedTable } from '../../described.ts';
import { operatorView } from '../operator/reader.ts';
import { operatorTextsOf } from '../operator/texts.ts';
import { documentOf } from '../view/graphql.ts';
import { mostRows, restAddress, type View } from '../view/view.ts';
import { Failure, send } from './api.ts';
import { usePage } from './context.ts';
import { Copy } from './copy.tsx';
import { FailureNote } from './failure.tsx';
import { Menu } from './menu.tsx';
import { Programs } from './programs.tsx';
import { SaveView } from './save-view.tsx';

interface TakeAwayProps {
  readonly view: View;
  readonly table: DescribedTable;
  readonly shown: readonly string[];
}

/** Without a key, only the link to the view leaves the page. */
const OperatorTakeAway = ({ slug }: { readonly slug: string }) => {
  const { language, t } = usePage();
  const { needsKey, createKey } = operatorTextsOf[language];
  return (
    <Menu label={t.take}>
      {() => (
        <div className="take-away">
          <div className="presets">
            <Copy text={location.href} label={t.link} />
          </div>
          <p className="hint">
            {needsKey} <a href={servicePath(`/portal/keys/new?customer=${slug}`)}>{createKey}</a>
          </p>
        </div>
      )}
    </Menu>
  );
};

const KeyTakeAway = ({ view, table, shown }: TakeAwayProps) => {
  const { description, language, t } = usePage();
  const [failure, setFailure] = useState<Failure>();
  const document = documentOf(view, table, shown, description);
  const address = `${serviceAddress()}${restAddress(view, shown)}`;
  const limit = view.others.some(([name]) => name === 'limit') ? [] : [['limit', String(mostRows[view.shows])] as const];
  const saveCsv = async () => {
    setFailure(undefined);
    try {
      const response = await send(restAddress(view, shown, [['format', 'csv'], ...limit]), { accept: 'text/csv' });
      download(`${table.name}${view.shows === 'groups' ? '_groups' : ''}.csv`, await response.blob());
    } catch (error) {
      setFailure(error instanceof Failure ? error : new Failure(0, String(error)));
    }
  };
  return (
    <Menu label={t.take}>
      {() => (
        <div className="take-away">
          <div className="presets">
            <button type="button" className="primary" onClick={saveCsv}>
              {t.csv}
            </button>
            <Copy text={location.href} label={t.link} />
          </div>
          {failure && <FailureNote failure={failure} language={language} />}
          <h2>{t.address}</h2>
          <code className="address">{address}</code>
          <div className="presets">
            <Copy text={address} label={t.copy} />
            <span className="hint">{t.addressHint}</span>
          </div>
          {document && (
            <>
              <h2>{t.graphql}</h2>
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the text scrolls, so the keyboard must reach it */}
              <pre className="address" tabIndex={0}>
                {document}
              </pre>
              <div className="presets">
                <Copy text={document} label={t.copy} />
                <a
                  className="button"
                  href={servicePath(`/graphql${operationLink({ query: document, variables: '', operationName: undefined })}`)}
                >
                  {t.graphiql}
                </a>
              </div>
              <SaveView document={document} table={table} />
            </>
          )}
          <Programs view={view} table={table} shown={shown} limit={limit} />
        </div>
      )}
    </Menu>
  );
};

export const TakeAway = (props: TakeAwayProps) =>
  operatorView ? <OperatorTakeAway slug={operatorView.slug} /> : <KeyTakeAway {...props} />;
