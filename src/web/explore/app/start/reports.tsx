/** Reports: the questions of analysts on the day of the data, and the saved questions of the customer's keys. */
import { useEffect, useState } from 'react';
import type { QuestionAnswer } from '../../../browser/answers.ts';
import { restRequestOf, savedQuestions } from '../../../browser/questions/saved-questions.ts';
import { servicePath } from '../../../browser/service.ts';
import { operationFragment } from '../../../graphiql/studio/operations/link.ts';
import { operatorView } from '../operator/reader.ts';
import { usePage } from '../parts/context.ts';
import { dayText } from '../parts/figures.tsx';
import { ViewLink } from '../parts/view-link.tsx';
import { viewOfReport } from '../view/report.ts';
import { parseView } from '../view/view.ts';

/** A saved question opens as a view, and in GraphiQL if its document has no request in REST. */
const Saved = ({ question }: { readonly question: QuestionAnswer }) => {
  const { t, go } = usePage();
  const { name, title, document, saved_by } = question;
  const graphiql = servicePath(`/graphql${operationFragment({ query: document, variables: '', operationName: undefined })}`);
  const open = async () => {
    const path = await restRequestOf(document);
    const view = path === undefined ? undefined : parseView(path);
    if (view) go({ ...view, report: [name] });
    else location.assign(graphiql);
  };
  return (
    <a
      className="card question"
      href={graphiql}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        open();
      }}
    >
      <strong>{title || name}</strong>
      <span className="hint">{saved_by === null ? t.savedByOperator : t.savedBy(saved_by)}</span>
    </a>
  );
};

export const Reports = () => {
  const { description, language, t } = usePage();
  const [saved, setSaved] = useState<readonly QuestionAnswer[]>([]);
  useEffect(() => {
    if (!operatorView) savedQuestions().then(setSaved);
  }, []);
  const { day, questions } = description;
  if (questions.length + saved.length === 0) return null;
  return (
    <section aria-labelledby="reports-title">
      <div className="section-head">
        <h2 id="reports-title">{t.reports}</h2>
        <span className="hint">{t.reportsOn(dayText(day, language))}</span>
      </div>
      <ul className="cards-list">
        {saved.map((question) => (
          <li key={question.name}>
            <Saved question={question} />
          </li>
        ))}
        {questions.map((question) => {
          const view = viewOfReport(question, day);
          return (
            view && (
              <li key={question.name}>
                <ViewLink className="card question" view={view}>
                  <strong>{question.title[language]}</strong>
                </ViewLink>
              </li>
            )
          );
        })}
      </ul>
    </section>
  );
};
