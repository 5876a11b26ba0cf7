/** The API key. It stays in session storage, so it ends with the browser tab, and is never part of an address. */

const slot = 'estate-api-key';

export const apiKey = sessionStorage.getItem(slot) ?? '';

export const showKeyMessage = (text: string, isWrong: boolean): void => {
  const message = document.getElementById('key-message') as HTMLElement;
  message.textContent = text;
  message.classList.toggle('wrong', isWrong);
};

/** Fills the form at the top of the page. Another key has another schema, so the page loads again. */
export const showKeyForm = (): void => {
  const field = document.getElementById('api-key') as HTMLInputElement;
  field.value = apiKey;
  showKeyMessage(apiKey ? 'Key in use until this tab is closed.' : 'Enter an API key to see the schema and to run queries.', !apiKey);
  document.getElementById('key-bar')?.addEventListener('submit', (event) => {
    event.preventDefault();
    sessionStorage.setItem(slot, field.value.trim());
    location.reload();
  });
};
