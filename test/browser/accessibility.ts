/** Violations that axe-core finds on a page, with all rules. */
import axe, { type AxeResults, type RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { saveScreenshot } from './chromium.ts';

/** Widths of a desktop and a phone screen in pixels, in light and dark mode. */
export const appearances = [
  [1280, 'light'],
  [1280, 'dark'],
  [375, 'light'],
  [375, 'dark'],
] as const;

/** Each width and each colour scheme once, for states whose colours do not depend on the width. */
export const oppositeAppearances = [
  [1280, 'light'],
  [375, 'dark'],
] as const;

/** All rules run. Without details of the elements that pass, a long page takes half of the time. */
const options: RunOptions = { resultTypes: ['violations'] };

/** Waits for two frames. A script may apply a change of the colour scheme one frame late, and until then the page mixes both schemes. */
const whenDrawn = (page: Page): Promise<void> =>
  page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => drawn()))));

/** One line for each violated rule, with its elements. */
export const violationsOf = async (page: Page): Promise<string[]> => {
  const isLoaded = await page.evaluate(() => 'axe' in globalThis);
  if (!isLoaded) await page.evaluate(axe.source);
  await whenDrawn(page);
  const { violations } = await page.evaluate(
    (given) => (globalThis as unknown as { axe: { run(options: RunOptions): Promise<AxeResults> } }).axe.run(given),
    options,
  );
  return violations.map(({ id, impact, nodes }) => `${impact} ${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`);
};

/** In each appearance, nothing is wider than the screen, and axe finds nothing. `picture` is the beginning of the names of screenshots. */
export const expectClean = async (
  page: Page,
  state: string,
  given: readonly (typeof appearances)[number][],
  picture?: string,
): Promise<void> => {
  for (const [width, colorScheme] of given) {
    await page.setViewportSize({ width, height: 844 });
    await page.emulateMedia({ colorScheme });
    // A chart takes its new size after the next frame.
    await expect
      .poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth), { message: `${state} ${width}` })
      .toBe(0);
    expect([state, width, colorScheme, await violationsOf(page)]).toEqual([state, width, colorScheme, []]);
    if (picture) await saveScreenshot(page, `${picture}-${state}-${width}-${colorScheme}`);
  }
};
