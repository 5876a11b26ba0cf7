/** A headless Chromium. */
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';

/** The longest wait for a page that hangs. A busy machine needs ten times as long as a free one. */
export const longestWaitMs = 60_000;

export const launchChromium = (): Promise<Browser> =>
  chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });

/** Screenshots for `docs/` are written only on demand (`SCREENSHOTS=docs/screenshots npm run test:browser`), so that tests change no file of the project. */
export const saveScreenshot = async (page: Page, name: string): Promise<void> => {
  const folder = process.env.SCREENSHOTS;
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`) });
};
