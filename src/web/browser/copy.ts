/** Copies texts. Outside https and localhost, scripts have no clipboard, but they can select text. */

/** How long a button shows what it has done. */
export const shownMs = 2_000;

/** Whether the browser has let the page copy the text. */
export const copyText = async (text: string): Promise<boolean> =>
  (await navigator.clipboard?.writeText(text).then(
    () => true,
    () => false,
  )) ?? false;

const select = (element: Element): void => {
  const range = document.createRange();
  range.selectNodeContents(element);
  const selection = getSelection();
  selection?.removeAllRanges();
  selection?.addRange(range);
};

const outcomes = { en: { copied: 'Copied', selected: 'Selected' }, de: { copied: 'Kopiert', selected: 'Markiert' } } as const;

/** Lets a button of a page without React copy the text of an element, and say so. Where nothing can be copied, the text is selected. */
export const copyOnClick = (button: HTMLButtonElement, source: () => Element | null | undefined): void => {
  const label = button.textContent;
  button.addEventListener('click', async () => {
    const element = source();
    if (!element) return;
    select(element);
    const isCopied = (await copyText(element.textContent ?? '')) || (!navigator.clipboard && document.execCommand('copy'));
    const words = outcomes[button.closest<HTMLElement>('[lang]')?.lang === 'de' ? 'de' : 'en'];
    button.textContent = isCopied ? words.copied : words.selected;
    setTimeout(() => {
      button.textContent = label;
    }, shownMs);
  });
};
