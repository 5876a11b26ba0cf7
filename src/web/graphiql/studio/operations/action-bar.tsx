/** The buttons above GraphiQL: examples, saved questions, and a link to the current operation. */
import { useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { copyText } from '../../../browser/copy.ts';
import { maySaveQuestions } from '../../../browser/questions/saved-questions.ts';
import { questionInText } from '../../example-text.ts';
import type { ViewName } from '../../view-names.ts';
import { exampleDocuments } from '../examples.ts';
import { type Choice, Chooser } from './chooser.tsx';
import { useCurrentOperation, useOpenInTab } from './current-operation.ts';
import { operationFragment, takeLink } from './link.ts';
import { nameIn, type Operation } from './operation.ts';
import { questionChoices } from './questions.ts';
import { SaveQuestion } from './save-question.tsx';

const bar = document.getElementById('studio-bar') as HTMLElement;
const linkMessage = 'Opened from a link. Read it before you run it.';

const nameOf = (operation: Operation): string => nameIn(operation) ?? operation.query.replaceAll(/\s+/g, ' ').slice(0, 60);

const exampleChoices = (): readonly Choice[] =>
  exampleDocuments.map((query) => {
    const operation = { query, variables: '', operationName: undefined };
    return { title: questionInText(query), note: nameOf(operation), text: query, operation };
  });

interface ActionBarProps {
  readonly isLinked: boolean;
  readonly lastName: string | undefined;
  readonly view: ViewName;
  readonly onOpen: (operationName: string | undefined) => void;
  readonly onView: (view: ViewName) => void;
  /** Called with an example that the reader has chosen, when it is in the editor. */
  readonly onExample: (query: string) => void;
}

export const ActionBar = ({ isLinked, lastName, view, onOpen, onView, onExample }: ActionBarProps) => {
  const [dialog, setDialog] = useState<'examples' | 'save'>();
  const [maySave, setMaySave] = useState(false);
  const [questions, setQuestions] = useState<readonly Choice[]>();
  const [message, setMessage] = useState(isLinked ? linkMessage : '');
  const operation = useCurrentOperation(lastName);
  const openInTab = useOpenInTab();

  const open = (chosen: Operation, onOpened?: () => void): void => {
    onOpen(chosen.operationName);
    openInTab(chosen, onOpened);
  };
  useEffect(() => {
    maySaveQuestions().then(setMaySave);
  }, []);
  useEffect(() => {
    const openLink = () => {
      const linked = takeLink();
      if (!linked) return;
      onOpen(linked.operation.operationName);
      openInTab(linked.operation);
      onView(linked.view);
      setMessage(linkMessage);
    };
    addEventListener('hashchange', openLink);
    return () => removeEventListener('hashchange', openLink);
  }, [onOpen, onView, openInTab]);

  const copyLink = async (): Promise<void> => {
    const address = `${location.origin}${location.pathname}${operationFragment(operation, view)}`;
    const isCopied = await copyText(address);
    setMessage(isCopied ? 'Link copied: query, variables and view, no key.' : 'The browser does not let this page copy.');
  };
  const close = () => {
    setDialog(undefined);
    setQuestions(undefined);
  };

  return createPortal(
    <>
      <button type="button" onClick={() => setDialog('examples')}>
        Examples
      </button>
      <button type="button" onClick={async () => setQuestions(await questionChoices())}>
        Questions
      </button>
      <button type="button" onClick={copyLink}>
        Copy link
      </button>
      {maySave && (
        <button type="button" onClick={() => setDialog('save')}>
          Save as question
        </button>
      )}
      <span className="hint" role="status">
        {message}
      </span>
      {dialog === 'examples' && (
        <Chooser
          title="Examples"
          label="Search the examples"
          empty="There are no examples."
          choices={exampleChoices()}
          onChoose={(example) => open(example, () => onExample(example.query))}
          onClose={close}
        />
      )}
      {dialog === 'save' && <SaveQuestion operation={operation} onClose={close} />}
      {questions && (
        <Chooser
          title="Questions"
          label="Search the saved questions"
          empty="There are no saved questions for this key."
          choices={questions}
          onChoose={(chosen) => open(chosen)}
          onClose={close}
        />
      )}
    </>,
    bar,
  );
};
