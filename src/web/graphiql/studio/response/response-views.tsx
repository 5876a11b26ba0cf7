/**
 * The tabs of the response pane. GraphiQL shows the response as JSON. The other tabs show its lists as a table or a chart, and the
 * operation as REST requests or as code.
 */
import { useGraphiQL } from '@graphiql/react';
import { type ReactNode, Suspense, useMemo, useState } from 'react';
import type { RestFacts } from '../../rest-facts.ts';
import { Picker } from '../controls.tsx';
import { useCurrentOperation } from '../operations/current-operation.ts';
import { CodeView, RestView } from '../rest/program-views.tsx';
import { Tabs } from '../tabs.tsx';
import { dataOf } from './answers.ts';
import type { Axes } from './axes.ts';
import { ChartView } from './chart-view.tsx';
import { TableView } from './table-view.tsx';
import { type List, unfold } from './unfold.ts';

const views = ['JSON', 'Table', 'Chart', 'REST', 'Code'] as const;
type View = (typeof views)[number];

const Hint = ({ children }: { readonly children: ReactNode }) => <p className="hint">{children}</p>;

/** The lists of the response that GraphiQL shows; undefined if it shows none. */
const useLists = (): readonly List[] | undefined => {
  const shown = useGraphiQL(({ tabs, activeTabIndex }) => tabs[activeTabIndex]?.response);
  return useMemo(() => {
    const data = shown ? dataOf(shown) : undefined;
    return data === undefined ? undefined : unfold(data);
  }, [shown]);
};

interface ResponseViewsProps {
  readonly lastName: string | undefined;
  readonly facts: Promise<RestFacts>;
}

export const ResponseViews = ({ lastName, facts }: ResponseViewsProps) => {
  const [view, setView] = useState<View>('JSON');
  const [listName, setListName] = useState<string>();
  const [axes, setAxes] = useState<Axes>();
  const lists = useLists();
  const operation = useCurrentOperation(lastName);

  const list = lists?.find(({ name }) => name === listName) ?? lists?.[0];
  const ofList = (draw: (list: List) => ReactNode): ReactNode =>
    list && lists ? (
      <>
        {lists.length > 1 && <Picker label="List" values={lists.map(({ name }) => name)} chosen={list.name} onChoose={setListName} />}
        {draw(list)}
      </>
    ) : (
      <Hint>{lists ? 'There are no rows in this answer.' : 'Run a query to see its answer here.'}</Hint>
    );
  const content: Record<View, () => ReactNode> = {
    JSON: () => null,
    Table: () => ofList((each) => <TableView list={each} />),
    Chart: () => ofList((each) => <ChartView list={each} chosen={axes} onChoose={setAxes} />),
    REST: () => (
      <Suspense fallback={<Hint>Loading …</Hint>}>
        <RestView operation={operation} facts={facts} />
      </Suspense>
    ),
    Code: () => <CodeView operation={operation} />,
  };
  return (
    <Tabs label="Answer" id="answer" names={views} chosen={view} onChoose={setView}>
      {content[view]()}
    </Tabs>
  );
};
