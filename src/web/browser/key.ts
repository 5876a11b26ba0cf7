/** The API key. It stays in session storage, so it ends with the browser tab, and is never part of an address. */
import type { DemoKey } from '../pages/demo-keys.ts';
import { servicePath } from './service.ts';

const slot = 'estate-api-key';

/** The key of the tab now; empty without one. */
export const keyOfTab = (): string => sessionStorage.getItem(slot) ?? '';
export const keepKey = (key: string): void => sessionStorage.setItem(slot, key);
export const forgetKey = (): void => sessionStorage.removeItem(slot);

/** The key that the page was loaded with. */
export const apiKey = keyOfTab();

/** The keys of the demo customers. */
export const demoKeysAt = async (path: string): Promise<readonly DemoKey[]> => (await fetch(servicePath(path))).json();

/** What the form says in each state. */
export interface KeyTexts {
  readonly used: string;
  readonly missing: string;
  readonly choose: string;
}

export const showKeyMessage = (text: string, isWrong: boolean): void => {
  const message = document.getElementById('key-message') as HTMLElement;
  message.textContent = text;
  message.classList.toggle('wrong', isWrong);
};

const storeKey = (key: string): void => {
  keepKey(key);
  location.reload();
};

/**
 * Offers the keys of the demo customers in a menu, and answers whether the key in use is one of them. Without a key, the last one is used if
 * the page shall open with data.
 */
const offerDemoKeys = async (path: string, texts: KeyTexts, opensWithData: boolean): Promise<boolean> => {
  const keys = await demoKeysAt(path);
  if (keys.length === 0) return false;
  const menu = document.getElementById('demo-keys') as HTMLSelectElement;
  for (const { name, key } of keys) menu.add(new Option(name, key, false, key === apiKey));
  menu.addEventListener('change', () => menu.value && storeKey(menu.value));
  menu.hidden = false;
  if (apiKey) return keys.some(({ key }) => key === apiKey);
  if (opensWithData) storeKey((keys.find(({ name }) => name.includes('enterprise')) ?? keys[0]!).key);
  else showKeyMessage(texts.choose, false);
  return false;
};

/**
 * Fills the form at the top of the page. Another key has other tables, so the page loads again. `opensWithData` uses a demo key if there is
 * one and no key was entered. The result is whether the key in use is a demo key.
 */
export const showKeyForm = async (demoKeys: string | undefined, texts: KeyTexts, opensWithData = false): Promise<boolean> => {
  const field = document.getElementById('api-key') as HTMLInputElement;
  field.value = apiKey;
  showKeyMessage(apiKey ? texts.used : texts.missing, !apiKey);
  document.getElementById('key-bar')?.addEventListener('submit', (event) => {
    event.preventDefault();
    storeKey(field.value.trim());
  });
  return demoKeys ? offerDemoKeys(demoKeys, texts, opensWithData) : false;
};
