/** A link to a view. A plain click changes the view without loading the page again. */
import type { MouseEvent, ReactNode } from 'react';
import { fragmentOf, type View } from '../view/view.ts';
import { usePage } from './context.ts';

interface ViewLinkProps {
  readonly view: View;
  readonly className?: string | undefined;
  readonly name?: string | undefined;
  readonly children: ReactNode;
}

export const ViewLink = ({ view, className, name, children }: ViewLinkProps) => {
  const { go } = usePage();
  const follow = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    go(view);
    scrollTo(0, 0);
  };
  return (
    <a className={className} href={fragmentOf(view)} aria-label={name} onClick={follow}>
      {children}
    </a>
  );
};
