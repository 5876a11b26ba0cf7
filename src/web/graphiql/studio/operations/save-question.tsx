/** A dialog that saves the current document as a question of the key's customer. */
import { Dialog } from '../../../browser/dialog.tsx';
import { QuestionForm, questionNameOf } from '../../../browser/questions/question-form.tsx';
import { questionInText } from '../../example-text.ts';
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
const titleIn = (query: string): string => (query.startsWith('#') ? questionInText(`${query}\n`) : '');

export const SaveQuestion = ({ operation, onClose }: { readonly operation: Operation; readonly onClose: () => void }) => {
  const { query, variables } = operation;
  const title = titleIn(query);
  return (
    <Dialog title="Save as question" onClose={onClose}>
      {() => (
        <>
          <p>Every key of your company can ask it, within its own rights. The values of the variables become their defaults.</p>
          <QuestionForm
            language="en"
            suggested={{ name: questionNameOf(nameIn(operation) ?? title), description: title }}
            content={() => ({ document: query, variables: valuesIn(variables) })}
          />
        </>
      )}
    </Dialog>
  );
};
