/** A button that opens a panel next to it. The browser closes it on Escape and on a click elsewhere, and returns the focus. */
import { type ReactNode, type ToggleEvent, useId, useRef, useState } from 'react';

interface MenuProps {
  readonly label: ReactNode;
  /** The name of the button, if it differs from its label. */
  readonly name?: string;
  readonly className?: string;
  /** What a click with the shift key does instead. */
  readonly onShiftClick?: () => void;
  /** The content of the open panel, with a way to close it. */
  readonly children: (close: () => void) => ReactNode;
}

const gap = 4;

/** Places the panel below its button, within the window. On a narrow screen the style sheet places it. */
const place = (panel: HTMLElement, button: HTMLElement): void => {
  const { left, bottom } = button.getBoundingClientRect();
  const width = panel.offsetWidth;
  const top = Math.min(bottom + gap, Math.max(8, innerHeight - 360));
  panel.style.setProperty('--left', `${Math.max(8, Math.min(left, innerWidth - width - 8))}px`);
  panel.style.setProperty('--top', `${top}px`);
};

export const Menu = ({ label, name, className, onShiftClick, children }: MenuProps) => {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  const toggled = (event: ToggleEvent<HTMLDivElement>) => {
    if (event.target !== panel.current) {
      const opened = event.target;
      // What opens at the end of the panel would stay below its edge. Its content is there in the next frame.
      if (opened instanceof HTMLDetailsElement && opened.open) requestAnimationFrame(() => opened.scrollIntoView({ block: 'nearest' }));
      return;
    }
    setOpen(event.newState === 'open');
    if (event.newState === 'open' && panel.current && button.current) place(panel.current, button.current);
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        className={className}
        {...(name ? { 'aria-label': name, title: name } : {})}
        aria-expanded={isOpen}
        popoverTarget={id}
        onClick={(event) => {
          if (!onShiftClick || !event.shiftKey) return;
          event.preventDefault();
          onShiftClick();
        }}
      >
        {label}
      </button>
      {/* The width of the panel is known before its content, so that it is placed once. */}
      <div ref={panel} id={id} popover="auto" className="menu-panel" onToggle={toggled} role="dialog" aria-label={name ?? String(label)}>
        {isOpen && children(() => panel.current?.hidePopover())}
      </div>
    </>
  );
};
