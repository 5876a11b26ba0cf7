/**
 * The tabs of the response pane. GraphiQL shows the response as JSON. The other tabs show its lists as a table or a chart, and the
 * operation as REST requests or as code.
 */
import { useGraphiQL } from '@graphiql/react';
import { type ReactNode, useCallback, useMemo, useState } from 'react';
import { ChartView } from '../../../browser/chart-view.tsx';
import { Picker } from '../../../browser/controls.tsx';
import { apiKey } from '../../../browser/key.ts';
import type { List } from '../../../browser/list.ts';
import { type Language, storedLanguage, storeLanguage } from '../../../browser/values.ts';
import type { Labels } from '../../labels.ts';
import { type ViewName, viewNames } from '../../view-names.ts';
import { missingKeyText } from '../fetcher.ts';
import { useCurrentOperation } from '../operations/current-operation.ts';
import { CodeView, RestView } from '../rest/program-views.tsx';
import { Tabs } from '../tabs.tsx';
import type { View } from '../view.ts';
import { answerOf, errorsIn } from './answers.ts';
import { type FieldNames, noFieldNames } from './field-names.ts';
import { labelOf } from './language.ts';
import { TableView } from './table-view.tsx';
import { unfold } from './unfold.ts';

const Hint = ({ children }: { readonly children: ReactNode }) => <p className="hint">{children}</p>;

interface Shown {
  /** Undefined if there is no data. */
  readonly lists: readonly List[] | undefined;
  /** The fields behind the names of the lists. */
  readonly fieldNames: FieldNames;
  readonly errors: readonly string[];
}

/** The response that GraphiQL shows. */
const useShown = (): Shown => {
  const shown = useGraphiQL(({ tabs, activeTabIndex }) => tabs[activeTabIndex]?.response);
  return useMemo(() => {
    const answer = shown ? answerOf(shown) : undefined;
    const errors = shown ? errorsIn(shown) : [];
    return { lists: answer && unfold(answer.data), fieldNames: answer?.fieldNames ?? noFieldNames, errors };
  }, [shown]);
};

interface ResponseViewsProps {
  readonly lastName: string | undefined;
  readonly labels: Labels;
  readonly view: View;
  readonly onView: (view: View) => void;
}

interface ListViewProps {
  readonly list: List;
  readonly fieldNames: FieldNames;
  readonly view: View;
  readonly labels: Labels;
  readonly onView: (part: Partial<View>) => void;
}

/** A list as a table or a chart. */
const ListView = ({ list, fieldNames, view, labels, onView }: ListViewProps) => {
  const [stored, setStored] = useState(storedLanguage);
  const language = view.language ?? stored;
  const onLanguage = (chosen: Language) => {
    storeLanguage(chosen);
    setStored(chosen);
    onView({ language: chosen });
  };
  const shown = { list, language, onLanguage };
  const nameOf = useCallback((column: string) => labelOf(column, language, labels), [language, labels]);
  return view.name === 'Chart' ? (
    <ChartView {...shown} nameOf={nameOf} chosen={view.axes} onChoose={(axes) => onView({ axes })} />
  ) : (
    <TableView {...shown} labels={labels} fieldNames={fieldNames} order={view.order} onOrder={(order) => onView({ order })} />
  );
};

export const ResponseViews = ({ lastName, labels, view, onView }: ResponseViewsProps) => {
  const { lists, fieldNames, errors } = useShown();
  const isFetching = useGraphiQL((state) => state.isFetching);
  const operation = useCurrentOperation(lastName);
  const change = (part: Partial<View>) => onView({ ...view, ...part });

  const list = lists?.find(({ name }) => name === view.list) ?? lists?.[0];
  const hint = (): string => {
    if (isFetching) return 'Loading …';
    if (lists) return 'There are no rows in this answer.';
    return apiKey ? 'Run a query to see its answer here.' : missingKeyText();
  };
  const rows = (): ReactNode =>
    list && lists ? (
      <>
        {lists.length > 1 && (
          <Picker label="List" values={lists.map(({ name }) => name)} chosen={list.name} onChoose={(name) => change({ list: name })} />
        )}
        <ListView list={list} fieldNames={fieldNames} view={view} labels={labels} onView={change} />
      </>
    ) : (
      (isFetching || errors.length === 0) && <Hint>{hint()}</Hint>
    );
  const listView = (): ReactNode => (
    <>
      {errors.length > 0 && <p className="problem">{errors.join('\n')}</p>}
      {rows()}
    </>
  );
  const content: Record<ViewName, () => ReactNode> = {
    JSON: () => null,
    Table: listView,
    Chart: listView,
    REST: () => <RestView operation={operation} />,
    Code: () => <CodeView operation={operation} />,
  };
  return (
    <Tabs label="Answer" id="answer" names={viewNames} chosen={view.name} onChoose={(name) => change({ name })}>
      {content[view.name]()}
    </Tabs>
  );
};
