/** Saves the document of a view as a question, if the key may. */
import { useEffect, useState } from 'react';
import { QuestionForm, questionNameOf } from '../../../browser/questions/question-form.tsx';
import { maySaveQuestions } from '../../../browser/questions/saved-questions.ts';
import type { DescribedTable } from '../../described.ts';
import { usePage } from './context.ts';

export const SaveView = ({ document, table }: { readonly document: string; readonly table: DescribedTable }) => {
  const { language, t } = usePage();
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    maySaveQuestions().then(setShown);
  }, []);
  if (!isShown) return null;
  return (
    <>
      <h2>{t.saveQuestion}</h2>
      <QuestionForm
        language={language}
        suggested={{ name: questionNameOf(table.name), description: table.label[language] }}
        content={() => ({ document, variables: {} })}
      />
    </>
  );
};
