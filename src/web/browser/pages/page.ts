/** Enhancements of the pages. All pages work without JavaScript. */

import { copyOnClick } from '../copy.ts';
import { serviceAddress } from '../service.ts';
import { dropZone } from './drop-zone.ts';

const all = <Found extends Element>(selector: string): readonly Found[] => [...document.querySelectorAll<Found>(selector)];

/**
 * Samples are written with the public URL of the service. They show the address at which the reader opened the page, because a proxy or a
 * test may have another one.
 */
for (const place of all<HTMLElement>('[data-address]')) {
  const address = place.dataset.address ?? '';
  if (address === serviceAddress()) continue;
  const texts = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode() as Text | null; node; node = texts.nextNode() as Text | null)
    if (node.data.includes(address))
      node.data = node.data.replaceAll(address, (found, at: number, text: string) =>
        /^[\w.:-]/.test(text.slice(at + found.length)) ? found : serviceAddress(),
      );
}

for (const button of all<HTMLButtonElement>('button[data-copy]')) {
  button.hidden = false;
  copyOnClick(button, () => document.getElementById(button.dataset.copy ?? ''));
}

for (const form of all<HTMLFormElement>('form[data-submit-on-change]')) {
  form.classList.add('live');
  form.addEventListener('change', () => form.requestSubmit());
}

for (const form of all<HTMLFormElement>('form[data-drop]')) dropZone(form);

/** Removes empty search fields from the address. */
for (const form of all<HTMLFormElement>('form.filters'))
  form.addEventListener('formdata', ({ formData }) => {
    for (const [name, value] of [...formData]) if (value === '') formData.delete(name);
  });

/** Sends a form once, even if its button is pressed again. */
for (const form of all<HTMLFormElement>('form[method="post"]'))
  form.addEventListener('submit', (event) => {
    if (form.dataset.sent) event.preventDefault();
    form.dataset.sent = 'yes';
  });

/** A page from the back/forward cache may be sent again. */
addEventListener('pageshow', () => {
  for (const form of all<HTMLFormElement>('form[data-sent]')) delete form.dataset.sent;
});

/** Shows times in the reader's time zone on hover. */
for (const time of all<HTMLTimeElement>('time[datetime]')) {
  const local = new Date(time.dateTime).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
  time.title = `${local} (${time.title})`;
}
