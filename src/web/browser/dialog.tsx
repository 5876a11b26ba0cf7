/** A dialog above the page. Its first field has the focus. The browser closes it on Escape, and returns the focus. */
import { type ReactNode, useEffect, useRef } from 'react';
import { createPortal } from 'react-dom';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  /** The content, with a way to close the dialog. */
  readonly children: (close: () => void) => ReactNode;
}

export const Dialog = ({ title, onClose, children }: DialogProps) => {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
    dialog.current?.querySelector('input')?.focus();
  }, []);
  const close = () => dialog.current?.close();
  return createPortal(
    <dialog ref={dialog} className="chooser" aria-label={title} onClose={onClose}>
      <div className="head">
        <h2>{title}</h2>
        <div className="actions">
          <button type="button" onClick={close}>
            Close
          </button>
        </div>
      </div>
      {children(close)}
    </dialog>,
    document.body,
  );
};
