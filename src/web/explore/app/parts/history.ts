/** The view of the address, and steps in the history of the browser. Each step keeps how far its page was scrolled, and which link had the focus. */
import { useCallback, useEffect, useLayoutEffect, useMemo, useState } from 'react';
import { fragmentOf, type View, viewIn } from '../view/view.ts';

/** The page from its top, and the table from its top and its left, in pixels; and the address of the link of the table that has the focus. */
type Place = readonly [page: number, top: number, left: number, link: string | undefined];

const grid = (): Element | null => document.querySelector('.grid');

const keepPlace = (): void => {
  const { scrollTop = 0, scrollLeft = 0 } = grid() ?? {};
  const link = grid()?.contains(document.activeElement) ? (document.activeElement?.getAttribute('href') ?? undefined) : undefined;
  const place: Place = [scrollY, scrollTop, scrollLeft, link];
  history.replaceState({ place }, '');
};

const keptPlace = (): Place | undefined => (history.state as { place?: Place } | null)?.place;

/** Where the page of a step was, until its data are there. */
let awaited = keptPlace();

interface Step {
  /** Whether the view takes the place of the last one, so that the way back does not lead to it. */
  readonly replaces?: boolean;
}

export type Go = (view: View | undefined, step?: Step) => void;

/** The view of the address, whether the address has one that cannot be read, and the way to another view. */
export const useView = (): { readonly view: View | undefined; readonly isBroken: boolean; readonly go: Go } => {
  const [fragment, setFragment] = useState(location.hash);
  useEffect(() => {
    history.scrollRestoration = 'manual';
    const follow = () => {
      awaited = keptPlace();
      setFragment(location.hash);
    };
    addEventListener('popstate', follow);
    addEventListener('hashchange', follow);
    addEventListener('scrollend', keepPlace, { capture: true });
    return () => {
      removeEventListener('popstate', follow);
      removeEventListener('hashchange', follow);
      removeEventListener('scrollend', keepPlace, { capture: true });
    };
  }, []);
  const go = useCallback((view: View | undefined, { replaces = false }: Step = {}) => {
    keepPlace();
    awaited = undefined;
    const address = view ? fragmentOf(view) : location.pathname;
    if (replaces) history.replaceState(history.state, '', address);
    else history.pushState(null, '', address);
    setFragment(location.hash);
  }, []);
  const view = useMemo(() => viewIn(fragment), [fragment]);
  return { view, isBroken: view === undefined && fragment.length > 1, go };
};

/** Leads the reader back to the same place, when the data of a view are shown again. */
export const useScroll = (view: View | undefined, isShown: boolean): void => {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another view has another place
  useLayoutEffect(() => {
    if (!isShown || !awaited) return;
    const [page, top, left, link] = awaited;
    awaited = undefined;
    grid()?.scrollTo(left, top);
    scrollTo(0, page);
    if (link)
      grid()
        ?.querySelector<HTMLElement>(`a[href="${CSS.escape(link)}"]`)
        ?.focus({ preventScroll: true });
  }, [view, isShown]);
};
