/** Enhancements of the pages. All pages work without JavaScript. */

const select = (element) => {
  const range = document.createRange();
  range.selectNodeContents(element);
  const selection = getSelection();
  selection?.removeAllRanges();
  selection?.addRange(range);
};

/** Outside https and localhost, scripts have no clipboard, but they can select text. */
const copy = async (element) => {
  select(element);
  if (navigator.clipboard) await navigator.clipboard.writeText(element.textContent);
  else document.execCommand('copy');
};

for (const button of document.querySelectorAll('button[data-copy]')) {
  const source = document.getElementById(button.dataset.copy);
  const label = button.textContent;
  button.hidden = false;
  button.addEventListener('click', async () => {
    try {
      await copy(source);
      button.textContent = 'Copied';
    } catch {
      button.textContent = 'Selected';
    }
    setTimeout(() => {
      button.textContent = label;
    }, 2_000);
  });
}

for (const form of document.querySelectorAll('form[data-submit-on-change]')) {
  form.classList.add('live');
  form.addEventListener('change', () => form.requestSubmit());
}

/** Removes empty search fields from the address. */
for (const form of document.querySelectorAll('form.filters'))
  form.addEventListener('formdata', ({ formData }) => {
    for (const [name, value] of [...formData]) if (value === '') formData.delete(name);
  });

/** Sends a form once, even if its button is pressed again. */
for (const form of document.querySelectorAll('form[method="post"]'))
  form.addEventListener('submit', (event) => {
    if (form.dataset.sent) event.preventDefault();
    form.dataset.sent = 'yes';
  });

/** A page from the back/forward cache may be sent again. */
addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll('form[data-sent]')) delete form.dataset.sent;
});

/** Shows times in the reader's time zone on hover. */
for (const time of document.querySelectorAll('time[datetime]')) {
  const local = new Date(time.dateTime).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
  time.title = `${local} (${time.title})`;
}
