/** The view and its table for spreadsheets and programs: Power Query text, and the file of the whole table. */
import { parquetPathOf } from '../../../../files/formats.ts';
import { csvQuery } from '../../../browser/power-query.ts';
import { serviceAddress } from '../../../browser/service.ts';
import type { DescribedTable } from '../../described.ts';
import { type Parameter, parametersOf, pathOf, type View } from '../view/view.ts';
import { usePage } from './context.ts';
import { Copy } from './copy.tsx';

interface ProgramsProps {
  readonly view: View;
  readonly table: DescribedTable;
  readonly shown: readonly string[];
  /** The parameter with the most rows of one request. */
  readonly limit: readonly Parameter[];
}

export const Programs = ({ view, table, shown, limit }: ProgramsProps) => {
  const { t } = usePage();
  const origin = serviceAddress();
  const query = csvQuery({ origin, path: pathOf(view), parameters: [...parametersOf(view, shown), ...limit] });
  const file = `${origin}${parquetPathOf(table.name)}`;
  return (
    <details>
      <summary>{t.programs}</summary>
      <p className="hint">{t.programsHint}</p>
      <h2>{t.powerQuery}</h2>
      <pre className="address">{query}</pre>
      <div className="presets">
        <Copy text={query} label={t.copy} />
      </div>
      {table.hasFiles && (
        <>
          <h2>{t.parquet}</h2>
          <a className="address" href={file}>
            {file}
          </a>
          <div className="presets">
            <Copy text={file} label={t.copy} />
          </div>
        </>
      )}
    </details>
  );
};
