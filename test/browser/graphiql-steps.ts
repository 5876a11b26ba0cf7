/** What somebody does in GraphiQL, step by step; each resolves when the page has done it. */
import type { Page } from 'playwright-core';

/** Types a key and waits until GraphiQL has asked for the schema with it. */
export const enterKey = async (page: Page, key: string): Promise<void> => {
  await page.getByLabel('API key').fill(key);
  const introspection = page.waitForResponse((response) => response.request().method() === 'POST');
  await page.getByRole('button', { name: 'Use key' }).click();
  await (await introspection).finished();
};

/** Waits until a part of GraphiQL says something; Monaco draws text in pieces, which are compared as a whole. */
export const sees = async (page: Page, part: string, text: string): Promise<void> => {
  await page.waitForFunction(
    ([selector, wanted]) => document.querySelector(`${selector}`)?.textContent?.includes(`${wanted}`),
    [part, text],
  );
};

/** GraphiQL reads a tab's text a moment after it shows it, and stores the text when it has: till then it runs the last tab's operation. */
export const waitForEditor = async (page: Page, text: string): Promise<void> => {
  await page.waitForFunction((wanted) => localStorage.getItem('graphiql:query')?.includes(wanted), text);
};

export const openExample = async (page: Page, name: string): Promise<void> => {
  await page.getByRole('button', { name: 'Examples' }).click();
  await page.getByRole('searchbox', { name: 'Search the examples' }).fill(name);
  await page.keyboard.press('Enter');
  await waitForEditor(page, `query ${name}`);
};

/** Runs what is open. */
export const execute = (page: Page): Promise<void> => page.locator('.graphiql-execute-button').click();
