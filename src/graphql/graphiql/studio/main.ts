/** The page around GraphiQL: the key, examples and history, links, and what is shown of an answer besides its JSON. */
import { examples } from '../examples.ts';
import { amend, closeTabsByKey } from './amend.ts';
import { answerPane } from './answer-pane.ts';
import { keepAnswer } from './answers.ts';
import { choose } from './chooser.ts';
import { followColors, openInTab, textIn } from './editors.ts';
import { button } from './element.ts';
import { forget, pastOperations, remember } from './history.ts';
import { showKeyForm, useKey } from './key.ts';
import { fragmentOf, operationIn } from './link.ts';
import { nameIn, type Operation } from './operation.ts';

declare const YogaGraphiQL: { renderYogaGraphiQL(root: HTMLElement, options: Readonly<Record<string, unknown>>): void };

const root = document.getElementById('root') as HTMLElement;
const byId = (id: string) => document.getElementById(id) as HTMLElement;

/** The name of what was run last tells which of several operations is meant. */
let lastName: string | undefined;
const currentOperation = (): Operation => {
  const operation = { query: textIn('query'), variables: textIn('variables'), operationName: lastName };
  return { ...operation, operationName: nameIn(operation) };
};

showKeyForm();
useKey((operation, text) => {
  lastName = operation.operationName;
  remember(localStorage, operation, new Date());
  keepAnswer(text);
});

/** The comment that an example begins with. */
const questionOf = (query: string): string => query.slice(0, query.indexOf('\n')).replace(/^#\s*/, '');
const nameOf = (operation: Operation): string => nameIn(operation) ?? operation.query.replaceAll(/\s+/g, ' ').slice(0, 60);

byId('open-examples').addEventListener('click', () =>
  choose({
    title: 'Examples',
    label: 'Search the examples',
    empty: 'There are no examples.',
    choices: Object.values(examples)
      .map((query): Operation => ({ query, variables: '', operationName: undefined }))
      .map((example) => ({
        title: questionOf(example.query),
        note: nameOf(example),
        text: example.query,
        open: () => openInTab(example),
      })),
  }),
);

byId('open-history').addEventListener('click', () => {
  const clear = button('Clear', () => {
    forget(localStorage);
    clear.closest('dialog')?.close();
  });
  choose({
    title: 'History',
    label: 'Search what you have run',
    empty: 'What you run is kept here, in this browser, without the key.',
    actions: [clear],
    choices: pastOperations(localStorage).map((past) => ({
      title: nameOf(past),
      note: new Date(past.at).toLocaleString(),
      text: `${past.query} ${past.variables}`,
      open: () => {
        lastName = past.operationName;
        openInTab(past);
      },
    })),
  });
});

const said = byId('studio-message');
byId('copy-link').addEventListener('click', async () => {
  const address = `${location.origin}${location.pathname}${fragmentOf(currentOperation())}`;
  said.textContent = await navigator.clipboard.writeText(address).then(
    () => 'Link copied: query and variables, no key.',
    () => 'The browser does not let this page copy.',
  );
});

// GraphiQL writes the document into the address, from which a reload would ask for an answer instead of this page.
const replaceState = history.replaceState.bind(history);
history.replaceState = () => {};

/** What a link brings, once: a reload shows the tabs as they are then. */
const takeLink = (): Operation | undefined => {
  const linked = operationIn(location.hash);
  if (!linked) return undefined;
  replaceState(null, '', location.pathname);
  lastName = linked.operationName;
  said.textContent = 'Opened from a link. Read it before you run it.';
  return linked;
};

const pane = answerPane(
  currentOperation,
  fetch(root.dataset.restFacts as string).then((answer) => answer.json()),
);
closeTabsByKey();
followColors();
new MutationObserver(() => {
  amend();
  pane.attach();
}).observe(root, { childList: true, subtree: true, attributes: true, attributeFilter: ['class', 'role', 'aria-selected'] });

const [firstExample] = Object.values(examples);
const linked = takeLink();
addEventListener('hashchange', () => {
  const operation = takeLink();
  if (operation) openInTab(operation);
});
YogaGraphiQL.renderYogaGraphiQL(root, {
  title: 'Estate GraphQL',
  endpoint: '/graphql',
  defaultTabs: [{ query: firstExample }],
  shouldPersistHeaders: false,
  isHeadersEditorEnabled: false,
  // As on every page, the system decides between light and dark.
  forcedTheme: 'system',
  // The tab to open; without it GraphiQL adds an empty one.
  query: linked?.query ?? localStorage.getItem('graphiql:query') ?? firstExample,
  ...(linked ? { variables: linked.variables } : {}),
});
