/** What leaves the page: the REST address of the view, a link to it, and its rows as CSV, as they are shown or for programs. */
import { useState } from 'react';
import { CopyButton } from '../../../browser/controls.tsx';
import { csvOf, type Sheet } from '../../../browser/csv.ts';
import { download } from '../../../browser/download.ts';
import { serviceAddress, servicePath } from '../../../browser/service.ts';
import type { DescribedTable } from '../../described.ts';
import { operatorView } from '../operator/reader.ts';
import { operatorTextsOf } from '../operator/texts.ts';
import { mostRows, restAddress, type View } from '../view/view.ts';
import { Failure, send } from './api.ts';
import { usePage } from './context.ts';
import { FailureNote } from './failure.tsx';
import { Menu } from './menu.tsx';
import { Prints } from './prints.tsx';

interface TakeAwayProps {
  readonly view: View;
  readonly table: DescribedTable;
  readonly shown: readonly string[];
  /** The labels and values that the view shows, of all rows. Throws `Failure`. */
  readonly sheet: () => Promise<Sheet>;
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
            <CopyButton text={location.href} label={t.link} words={t} />
          </div>
          <p className="hint">
            {needsKey} <a href={servicePath(`/portal/keys/new?customer=${slug}`)}>{createKey}</a>
          </p>
        </div>
      )}
    </Menu>
  );
};

const KeyTakeAway = ({ view, table, shown, sheet }: TakeAwayProps) => {
  const { language, t } = usePage();
  const [failure, setFailure] = useState<Failure>();
  const address = restAddress(view, shown);
  const limit = view.others.some(([name]) => name === 'limit') ? [] : [['limit', String(mostRows[view.shows])] as const];
  const save = async (read: () => Promise<Blob>) => {
    setFailure(undefined);
    try {
      download(`${table.name}${view.shows === 'groups' ? '_groups' : ''}.csv`, await read());
    } catch (error) {
      setFailure(error instanceof Failure ? error : new Failure(0, String(error)));
    }
  };
  const shownCsv = async () => new Blob([csvOf(await sheet(), language)], { type: 'text/csv;charset=utf-8' });
  const plainCsv = async () => {
    const response = await send(restAddress(view, shown, [['format', 'csv'], ...limit]), { accept: 'text/csv' });
    return response.blob();
  };
  return (
    <Menu label={t.take}>
      {() => (
        <div className="take-away">
          <div className="presets">
            <button type="button" className="primary" title={t.csvHint} onClick={() => save(shownCsv)}>
              {t.csv}
            </button>
            <button type="button" title={t.plainCsvHint} onClick={() => save(plainCsv)}>
              {t.plainCsv}
            </button>
            <CopyButton text={location.href} label={t.link} words={t} />
          </div>
          {failure && <FailureNote failure={failure} language={language} />}
          <h2>{t.address}</h2>
          <code className="address">{`${serviceAddress()}${address}`}</code>
          <div className="presets">
            <CopyButton text={`${serviceAddress()}${address}`} label={t.copy} words={t} />
            <span className="hint">{t.addressHint}</span>
          </div>
          <Prints address={restAddress(view, shown, limit)} table={table} />
        </div>
      )}
    </Menu>
  );
};

export const TakeAway = (props: TakeAwayProps) =>
  operatorView ? <OperatorTakeAway slug={operatorView.slug} /> : <KeyTakeAway {...props} />;
