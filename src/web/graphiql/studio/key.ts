/** The API key. It stays in session storage, so it ends with the browser tab, and is never part of an address. */

const slot = 'estate-api-key';

export const apiKey = sessionStorage.getItem(slot) ?? '';

export const showKeyMessage = (text: string, isWrong: boolean): void => {
  const message = document.getElementById('key-message') as HTMLElement;
  message.textContent = text;
  message.classList.toggle('wrong', isWrong);
};

const storeKey = (key: string): void => {
  sessionStorage.setItem(slot, key);
  location.reload();
};

/** Offers the keys of the demo customers in a menu. */
const offerDemoKeys = async (address: string): Promise<void> => {
  const keys: readonly { readonly name: string; readonly key: string }[] = await (await fetch(address)).json();
  if (keys.length === 0) return;
  const menu = document.getElementById('demo-keys') as HTMLSelectElement;
  for (const { name, key } of keys) menu.add(new Option(name, key, false, key === apiKey));
  menu.addEventListener('change', () => menu.value && storeKey(menu.value));
  menu.hidden = false;
  if (!apiKey) showKeyMessage('Choose a demo key, or enter an API key.', false);
};

/** Fills the form at the top of the page. Another key has another schema, so the page loads again. */
export const showKeyForm = (demoKeys: string | undefined): void => {
  const field = document.getElementById('api-key') as HTMLInputElement;
  field.value = apiKey;
  showKeyMessage(apiKey ? 'Key in use until this tab is closed.' : 'Enter an API key to see the schema and to run queries.', !apiKey);
  document.getElementById('key-bar')?.addEventListener('submit', (event) => {
    event.preventDefault();
    storeKey(field.value.trim());
  });
  if (demoKeys) offerDemoKeys(demoKeys);
};
