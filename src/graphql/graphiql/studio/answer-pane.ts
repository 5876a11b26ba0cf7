/** The pane of the answer: as JSON, which GraphiQL shows, as a table and as a chart; beside them what asks the same from a program. */
import type { RestFacts } from '../rest-tables.ts';
import { dataOf } from './answers.ts';
import type { Axes } from './axes.ts';
import { chartView } from './chart-view.ts';
import { onChange, textIn } from './editors.ts';
import { choice, element } from './element.ts';
import type { Operation } from './operation.ts';
import { codeView, restView } from './program-views.ts';
import { tableView } from './table-view.ts';
import { tabsOf } from './tabs.ts';
import { type List, unfold } from './unfold.ts';

const views = ['JSON', 'Table', 'Chart', 'REST', 'Code'] as const;
type View = (typeof views)[number];

export interface AnswerPane {
  /** Puts the pane where GraphiQL shows answers; it is drawn later than the page, and may be drawn again. */
  attach(): void;
}

export const answerPane = (currentOperation: () => Operation, facts: Promise<RestFacts>): AnswerPane => {
  let view: View = 'JSON';
  let lists: readonly List[] | undefined;
  let listName: string | undefined;
  let axes: Axes | undefined;
  let restFacts: RestFacts | undefined;

  const hint = (text: string) => [element('p', { class: 'hint' }, text)];
  const ofList = (draw: (list: List) => readonly HTMLElement[]): readonly HTMLElement[] => {
    const list = lists?.find(({ name }) => name === listName) ?? lists?.[0];
    if (!list) return hint(lists ? 'There are no rows in this answer.' : 'Run a query to see its answer here.');
    const names = lists?.map(({ name }) => name) ?? [];
    const choose = (name: string) => {
      listName = name;
      show();
    };
    return [...(names.length > 1 ? [choice('List', names, list.name, choose)] : []), ...draw(list)];
  };
  const chart = (list: List) =>
    chartView(list, axes, (chosen) => {
      axes = chosen;
    }) ?? hint('There are no numbers in this list to draw.');
  const drawn: Record<View, () => readonly HTMLElement[]> = {
    JSON: () => [],
    Table: () => ofList(tableView),
    Chart: () => ofList(chart),
    REST: () => (restFacts ? restView(currentOperation(), restFacts) : hint('Loading …')),
    Code: () => codeView(currentOperation(), show),
  };
  const tabs = tabsOf('Answer', 'answer', views, (name) => {
    view = name;
    show();
  });
  const show = (): void => {
    tabs.panel.closest('.graphiql-response')?.setAttribute('data-view', view);
    tabs.panel.replaceChildren(...drawn[view]());
  };

  onChange(['response'], () => {
    const data = dataOf(textIn('response'));
    lists = data === undefined ? undefined : unfold(data);
    if (view === 'Table' || view === 'Chart') show();
  });
  onChange(['query', 'variables'], () => {
    if (view === 'REST' || view === 'Code') show();
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    if (view === 'Chart') show();
  });
  facts.then((loaded) => {
    restFacts = loaded;
    show();
  });

  return {
    attach: () => {
      const place = document.querySelector('.graphiql-response');
      if (!place || place.contains(tabs.bar)) return;
      place.prepend(tabs.bar, tabs.panel);
      tabs.choose(view);
    },
  };
};
