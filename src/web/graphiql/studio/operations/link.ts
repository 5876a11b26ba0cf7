/**
 * An operation and its view as the fragment of an address. Browsers do not send fragments, so it reaches no log. It does not contain the key.
 */
import { servicePath } from '../../../browser/service.ts';
import { type ViewName, viewNamed } from '../../view-names.ts';
import type { Operation } from './operation.ts';

/** The fragment, with its `#`. */
export const operationFragment = ({ query, variables, operationName }: Operation, view?: ViewName): string => {
  const parts = new URLSearchParams({ query });
  if (variables.trim() !== '') parts.set('variables', variables);
  if (operationName) parts.set('operationName', operationName);
  // JSON is the default.
  if (view && view !== 'JSON') parts.set('view', view);
  return `#${parts}`;
};

/** The operation in a fragment; undefined for any other fragment. */
export const operationIn = (fragment: string): Operation | undefined => {
  const parts = new URLSearchParams(fragment.replace(/^#/, ''));
  const query = parts.get('query');
  if (!query) return undefined;
  return { query, variables: parts.get('variables') ?? '', operationName: parts.get('operationName') ?? undefined };
};

/** The view in a fragment; JSON if it has none. */
export const viewOf = (fragment: string): ViewName => viewNamed(new URLSearchParams(fragment.replace(/^#/, '')).get('view'));

const isFromDocs = (): boolean => {
  const from = document.referrer === '' ? undefined : new URL(document.referrer);
  const docs = servicePath('/docs');
  return from?.origin === location.origin && (from.pathname === docs || from.pathname.startsWith(`${docs}/`));
};

/** The operation and the view of the page's address. It is taken from the address, so that a reload shows the current tabs. */
export const takeLink = (): { readonly operation: Operation; readonly view: ViewName } | undefined => {
  const operation = operationIn(location.hash);
  if (!operation) return undefined;
  const view = viewOf(location.hash);
  history.replaceState(null, '', location.pathname);
  return { operation, view };
};

interface OpenedLink {
  readonly linked?: Operation | undefined;
  /** Undefined if no view was linked or chosen before. */
  readonly linkedView: ViewName | undefined;
  readonly runsLink: boolean;
}

const slot = 'estate-link';
const viewSlot = 'estate-view';

/** Remembers the view in the tab, because the entry of a key loads the page again. */
export const rememberView = (view: ViewName): void => sessionStorage.setItem(viewSlot, view);

/**
 * The operation that the page opens with, and whether it runs without a click, because a page of the documentation wrote it. The query of
 * any other link is read first. The entry of a key loads the page again, so the link is remembered in the tab until there is a key.
 */
export const openedLink = (hasKey: boolean): OpenedLink => {
  const link = takeLink();
  const remembered: Omit<OpenedLink, 'linkedView'> = JSON.parse(sessionStorage.getItem(slot) ?? '{"runsLink":false}');
  sessionStorage.removeItem(slot);
  const opened = link ? { linked: link.operation, runsLink: isFromDocs() } : remembered;
  if (opened.linked && !hasKey) sessionStorage.setItem(slot, JSON.stringify(opened));
  if (link) rememberView(link.view);
  const view = sessionStorage.getItem(viewSlot);
  return { ...opened, linkedView: view === null ? undefined : viewNamed(view) };
};
