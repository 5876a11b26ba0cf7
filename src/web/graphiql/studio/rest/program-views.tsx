/** The operation in the editor as REST requests, and as code in two languages. */
import { useEffect, useState } from 'react';
import { keyVariable, programs } from '../../../../prints/programs.ts';
import { CopyButton, Picker } from '../../../browser/controls.tsx';
import { serviceAddress } from '../../../browser/service.ts';
import type { Operation } from '../operations/operation.ts';
import { codeOf, languages } from './code.ts';
import { exploreAddress } from './open-in-explore.tsx';
import { type RestRequest, requestsOf } from './rest.ts';

/** Text with inline `code`. */
const Prose = ({ text }: { readonly text: string }) =>
  // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a fixed text keep their order
  text.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part));

const CodeBlock = ({ label, code }: { readonly label: string; readonly code: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: the block scrolls, so the keyboard must reach it
  // biome-ignore lint/a11y/useSemanticElements: the text is preformatted
  <pre role="region" aria-label={label} tabIndex={0}>
    <code>{code}</code>
  </pre>
);

/** `address` is of the service, which has given it its path prefix. */
const curl = (address: string): string => programs.curl({ origin: location.origin, address });

const RequestView = ({ field, path, notes }: RestRequest) => (
  <>
    <h2>
      <code>{field}</code>
    </h2>
    {path !== undefined && (
      <>
        <CodeBlock label={`REST for ${field}`} code={curl(path)} />
        <p>
          <a href={exploreAddress(path)}>Open in Explore</a>
        </p>
      </>
    )}
    {notes.length > 0 && (
      <ul>
        {notes.map((note) => (
          <li key={note}>
            <Prose text={note} />
          </li>
        ))}
      </ul>
    )}
  </>
);

/** The result of a translation, or why the operation cannot be translated. */
type Translation<Result> = { readonly result: Result } | { readonly reason: string };

const translate = <Result,>(translation: () => Result): Translation<Result> => {
  try {
    return { result: translation() };
  } catch (error) {
    return { reason: (error as Error).message };
  }
};

const NoTranslation = ({ reason }: { readonly reason: string }) => <p className="hint">There is no query to translate yet: {reason}</p>;

/** Milliseconds without a change of the text before a request is sent. */
const pauseMs = 500;

/** The requests of an operation. Undefined while they are loading. */
const useRestRequests = (operation: Operation): Translation<readonly RestRequest[]> | undefined => {
  const [translation, setTranslation] = useState<Translation<readonly RestRequest[]>>();
  const { query, variables, operationName } = operation;
  useEffect(() => {
    const aborted = new AbortController();
    const ask = () =>
      requestsOf({ query, variables, operationName }, aborted.signal).then(
        (result) => setTranslation({ result }),
        ({ name, message }: Error) => name !== 'AbortError' && setTranslation({ reason: message }),
      );
    const timer = setTimeout(ask, pauseMs);
    return () => {
      clearTimeout(timer);
      aborted.abort();
    };
  }, [query, variables, operationName]);
  return translation;
};

export const RestView = ({ operation }: { readonly operation: Operation }) => {
  const translation = useRestRequests(operation);
  if (!translation) return <p className="hint">Loading …</p>;
  if ('reason' in translation) return <NoTranslation {...translation} />;
  const requests = translation.result;
  const commands = requests.flatMap(({ path }) => (path === undefined ? [] : [curl(path)]));
  return (
    <>
      <div className="actions">
        <span className="hint">The answers have the names of REST.</span>
        {commands.length > 0 && <CopyButton text={`${commands.join('\n')}\n`} />}
      </div>
      {requests.map((request) => (
        <RequestView key={request.field} {...request} />
      ))}
    </>
  );
};

const slot = 'estate-code-language';
type Language = keyof typeof languages;
const names = Object.keys(languages) as Language[];

export const CodeView = ({ operation }: { readonly operation: Operation }) => {
  const [language, setLanguage] = useState(() => names.find((name) => name === localStorage.getItem(slot)) ?? 'fetch');
  const choose = (name: Language) => {
    localStorage.setItem(slot, name);
    setLanguage(name);
  };
  const translation = translate(() => codeOf(language, operation, `${serviceAddress()}/graphql`));
  return (
    <>
      <div className="actions">
        <Picker label="Language" values={names} chosen={language} onChoose={choose} />
        {'result' in translation && <CopyButton text={translation.result} />}
      </div>
      {'result' in translation ? (
        <>
          <CodeBlock label={`Code in ${language}`} code={translation.result} />
          <p className="hint">
            <Prose text={`The key comes from the environment variable \`${keyVariable}\`.`} />
          </p>
        </>
      ) : (
        <NoTranslation {...translation} />
      )}
    </>
  );
};
