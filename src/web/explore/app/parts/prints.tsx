/** The view in other forms, which the service prints: a GraphQL document, programs, the call of an agent, and the file of the table. */
import { useState } from 'react';
import { parquetPathOf } from '../../../../files/formats.ts';
import { type ProgramName, programs } from '../../../../prints/programs.ts';
import { CopyButton } from '../../../browser/controls.tsx';
import { serviceAddress, servicePath } from '../../../browser/service.ts';
import { operationFragment as operationLink } from '../../../graphiql/studio/operations/link.ts';
import type { DescribedTable } from '../../described.ts';
import { addressOf } from '../view/view.ts';
import { send, useRead } from './api.ts';
import { usePage } from './context.ts';
import { FailureNote } from './failure.tsx';
import { SaveView } from './save-view.tsx';

/** What the page shows of the answer of `/prints`. It prints the programs itself, with the address at which the reader opened it. */
interface Prints {
  readonly graphql: string | null;
  readonly notes: readonly string[];
  readonly agent: object | null;
}

const readPrints = async (path: string, signal: AbortSignal): Promise<Prints> => (await send(path, { signal })).json();

const programNames = {
  curl: 'curl',
  python: 'Python',
  pandas: 'pandas',
  typescript: 'TypeScript',
  power_query: 'Power Query',
} as const satisfies Readonly<Record<ProgramName, string>>;

const Code = ({ text }: { readonly text: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: the text scrolls, so the keyboard must reach it
  <pre className="address" tabIndex={0}>
    {text}
  </pre>
);

interface ProgramsProps {
  readonly address: string;
  readonly prints: Prints;
  readonly table: DescribedTable;
}

const Programs = ({ address, prints, table }: ProgramsProps) => {
  const { t } = usePage();
  const [name, setName] = useState<ProgramName | 'agent'>('power_query');
  const text = name === 'agent' ? JSON.stringify(prints.agent, null, 2) : programs[name]({ origin: serviceAddress(), address });
  const file = `${serviceAddress()}${parquetPathOf(table.name)}`;
  return (
    <details>
      <summary>{t.programs}</summary>
      <label>
        {t.program}{' '}
        <select value={name} onChange={({ target }) => setName(target.value as typeof name)}>
          {Object.entries(programNames).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
          {prints.agent && <option value="agent">{t.agent}</option>}
        </select>
      </label>
      <p className="hint">{name === 'power_query' ? t.programsHint : t.keyHint}</p>
      <Code text={text} />
      <div className="presets">
        <CopyButton text={text} label={t.copy} words={t} />
      </div>
      {table.hasFiles && (
        <>
          <h2>{t.parquet}</h2>
          <a className="address" href={file}>
            {file}
          </a>
          <div className="presets">
            <CopyButton text={file} label={t.copy} words={t} />
          </div>
        </>
      )}
    </details>
  );
};

const Document = ({ prints: { graphql, notes }, table }: { readonly prints: Prints; readonly table: DescribedTable }) => {
  const { t } = usePage();
  return (
    <>
      <h2>{t.graphql}</h2>
      {graphql && <Code text={graphql} />}
      {notes.map((note) => (
        <p key={note} className="hint" lang="en">
          {note}
        </p>
      ))}
      {graphql && (
        <>
          <div className="presets">
            <CopyButton text={graphql} label={t.copy} words={t} />
            <a
              className="button"
              href={servicePath(`/graphql${operationLink({ query: graphql, variables: '', operationName: undefined })}`)}
            >
              {t.graphiql}
            </a>
          </div>
          <SaveView document={graphql} table={table} />
        </>
      )}
    </>
  );
};

/** `address` is the REST request of the view. */
export const Prints = ({ address, table }: { readonly address: string; readonly table: DescribedTable }) => {
  const { language } = usePage();
  const { answer, failure } = useRead(addressOf('/prints', [['address', address]]), readPrints);
  if (failure) return <FailureNote failure={failure} language={language} />;
  if (!answer) return <p className="hint">…</p>;
  return (
    <>
      <Document prints={answer} table={table} />
      <Programs address={address} prints={answer} table={table} />
    </>
  );
};
