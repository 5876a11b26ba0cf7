/**
 * The tabs of the response pane. GraphiQL shows the response as JSON. The other tabs show its first list as a table, and the operation as
 * REST requests or as code.
 */
import { useGraphiQL } from '@graphiql/react';
import { type ReactNode, useMemo } from 'react';
import { apiKey } from '../../../browser/key.ts';
import type { List } from '../../../browser/list.ts';
import { type ViewName, viewNames } from '../../view-names.ts';
import { missingKeyText } from '../fetcher.ts';
import { useCurrentOperation } from '../operations/current-operation.ts';
import { OpenInExplore } from '../rest/open-in-explore.tsx';
import { CodeView, RestView } from '../rest/program-views.tsx';
import { Tabs } from '../tabs.tsx';
import { dataOf, errorsIn } from './answers.ts';
import { firstList } from './first-list.ts';
import { TableView } from './table-view.tsx';

const Hint = ({ children }: { readonly children: ReactNode }) => <p className="hint">{children}</p>;

interface Shown {
  /** Undefined if there are no rows. */
  readonly list: List | undefined;
  readonly hasData: boolean;
  readonly errors: readonly string[];
}

/** The response that GraphiQL shows. */
const useShown = (): Shown => {
  const shown = useGraphiQL(({ tabs, activeTabIndex }) => tabs[activeTabIndex]?.response);
  return useMemo(() => {
    const data = shown ? dataOf(shown) : undefined;
    return { list: data === undefined ? undefined : firstList(data), hasData: data !== undefined, errors: shown ? errorsIn(shown) : [] };
  }, [shown]);
};

interface ResponseViewsProps {
  readonly lastName: string | undefined;
  readonly view: ViewName;
  readonly onView: (view: ViewName) => void;
}

export const ResponseViews = ({ lastName, view, onView }: ResponseViewsProps) => {
  const { list, hasData, errors } = useShown();
  const isFetching = useGraphiQL((state) => state.isFetching);
  const operation = useCurrentOperation(lastName);
  const hint = (): string => {
    if (isFetching) return 'Loading …';
    if (hasData) return 'There are no rows in this answer.';
    return apiKey ? 'Run a query to see its answer here.' : missingKeyText();
  };
  const table = (): ReactNode => (
    <>
      {errors.length > 0 && <p className="problem">{errors.join('\n')}</p>}
      {list ? (
        <>
          <OpenInExplore operation={operation} field={list.name} />
          <TableView list={list} />
        </>
      ) : (
        (isFetching || errors.length === 0) && <Hint>{hint()}</Hint>
      )}
    </>
  );
  const content: Record<ViewName, () => ReactNode> = {
    JSON: () => null,
    Table: table,
    REST: () => <RestView operation={operation} />,
    Code: () => <CodeView operation={operation} />,
  };
  return (
    <Tabs label="Answer" id="answer" names={viewNames} chosen={view} onChoose={onView}>
      {content[view]()}
    </Tabs>
  );
};
