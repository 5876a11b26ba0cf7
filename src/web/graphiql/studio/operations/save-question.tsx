/** A dialog that saves the current document as a question of the key's customer. */
import { useEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { QuestionForm, questionNameOf } from '../../../browser/question-form.tsx';
import { questionOf } from '../../example-text.ts';
import { nameIn, type Operation } from './operation.ts';

/** The values of the variables, which become their defaults. Throws if the text is not JSON. */
const valuesIn = (text: string): object => {
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('The variables are not JSON.');
  }
};

/** The first comment of a document. */
const titleIn = (query: string): string => (query.startsWith('#') ? questionOf(`${query}\n`) : '');

export const SaveQuestion = ({ operation, onClose }: { readonly operation: Operation; readonly onClose: () => void }) => {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
    dialog.current?.querySelector('input')?.focus();
  }, []);
  const { query, variables } = operation;
  const title = titleIn(query);
  return createPortal(
    <dialog ref={dialog} className="chooser" aria-label="Save as question" onClose={onClose}>
      <div className="head">
        <h2>Save as question</h2>
        <div className="actions">
          <button type="button" onClick={() => dialog.current?.close()}>
            Close
          </button>
        </div>
      </div>
      <p>Every key of your company can ask it, within its own rights. The values of the variables become their defaults.</p>
      <QuestionForm
        language="en"
        suggested={{ name: questionNameOf(nameIn(operation) ?? title), description: title }}
        content={() => ({ document: query, variables: valuesIn(variables) })}
      />
    </dialog>,
    document.body,
  );
};
