/** Actions of a user in GraphiQL. Each resolves when the page has completed it. */
import type { Page } from 'playwright-core';

/** The explorer writes these about arguments with lists, and shows them correctly. */
export const graphiqlRules = { mayBeRefused: true, harmless: /^arg mismatch between arg and selection/ };

/** Types a key and waits until GraphiQL has loaded the schema with it. */
export const enterKey = async (page: Page, key: string): Promise<void> => {
  await page.getByLabel('API key').fill(key);
  const introspection = page.waitForResponse((response) => response.request().method() === 'POST');
  await page.getByRole('button', { name: 'Use key' }).click();
  await (await introspection).finished();
};

/** Waits until a part of GraphiQL shows a text. Monaco draws text in pieces, so the whole text is compared. */
export const expectText = async (page: Page, part: string, text: string): Promise<void> => {
  await page.waitForFunction(
    ([selector, wanted]) => document.querySelector(`${selector}`)?.textContent?.includes(`${wanted}`),
    [part, text],
  );
};

/** GraphiQL stores the text of a tab shortly after it shows it. Until then it would run the last tab's operation. */
export const waitForEditor = async (page: Page, text: string): Promise<void> => {
  await page.waitForFunction((wanted) => localStorage.getItem('graphiql:query')?.includes(wanted), text);
};

/** Chooses an example in the list. GraphiQL has its text then, and runs it if there is a key. */
export const openExample = async (page: Page, name: string): Promise<void> => {
  await page.getByRole('button', { name: 'Examples' }).click();
  await page.getByRole('searchbox', { name: 'Search the examples' }).fill(name);
  await page.keyboard.press('Enter');
  await waitForEditor(page, `query ${name}`);
};

/** Chooses an example and waits until the table of its answer is there. */
export const runExample = async (page: Page, name: string): Promise<void> => {
  const answered = page.waitForResponse((response) => response.request().postData()?.includes(`"operationName":"${name}"`) ?? false);
  await openExample(page, name);
  await (await answered).finished();
  await page.locator('#answer-panel .grid').waitFor();
};

/** Runs the current operation. */
export const execute = (page: Page): Promise<void> => page.locator('.graphiql-execute-button').click();

/** Changes the colours of the system, and waits until every editor has followed. A page without editors follows at once. */
export const showColors = async (page: Page, colorScheme: 'light' | 'dark'): Promise<void> => {
  await page.emulateMedia({ colorScheme });
  const other = colorScheme === 'dark' ? 'vs' : 'vs-dark';
  await page.waitForFunction((name) => document.querySelector(`.monaco-editor.${name}`) === null, other);
};
