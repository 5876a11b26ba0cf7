/** Violations that axe-core finds on a page. */
import axe, { type AxeResults, type RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { saveScreenshot } from './chromium.ts';

/** A width in pixels and a colour scheme. */
export type Appearance = readonly [width: number, colorScheme: 'light' | 'dark'];

/** Widths of a desktop and a phone screen, in light and dark mode. */
export const appearances: readonly Appearance[] = [
  [1280, 'light'],
  [1280, 'dark'],
  [375, 'light'],
  [375, 'dark'],
];

/** Each width and each colour scheme once, for states whose colours do not depend on the width. */
export const oppositeAppearances: readonly Appearance[] = [
  [1280, 'light'],
  [375, 'dark'],
];

/** Without details of the elements that pass, a long page takes half of the time. */
const allRules: RunOptions = { resultTypes: ['violations'] };

/** What depends on colours and on the width. The other rules read the same document in each appearance. */
const rulesOfAppearance: RunOptions = {
  ...allRules,
  runOnly: ['color-contrast', 'link-in-text-block', 'scrollable-region-focusable', 'button-name', 'link-name'],
};

/** Waits for two frames. A script may apply a change of the colour scheme one frame late, and until then the page mixes both schemes. */
const whenDrawn = (page: Page): Promise<void> =>
  page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => drawn()))));

/** One line for each violated rule, with its elements. */
export const violationsOf = async (page: Page, options = allRules): Promise<string[]> => {
  const isLoaded = await page.evaluate(() => 'axe' in globalThis);
  if (!isLoaded) await page.evaluate(axe.source);
  await whenDrawn(page);
  const { violations } = await page.evaluate(
    (given) => (globalThis as unknown as { axe: { run(options: RunOptions): Promise<AxeResults> } }).axe.run(given),
    options,
  );
  return violations.map(({ id, impact, nodes }) => `${impact} ${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`);
};

export interface Look {
  /** By default, each width and each colour scheme once. */
  readonly given?: readonly Appearance[];
  /** The beginning of the names of screenshots. */
  readonly picture?: string;
  /** A rule that a library breaks in this state. */
  readonly exception?: string;
  /** Changes the colours, and waits until the page has followed. */
  readonly showColors?: (page: Page, colorScheme: 'light' | 'dark') => Promise<void>;
}

const changeColors = (page: Page, colorScheme: 'light' | 'dark'): Promise<void> => page.emulateMedia({ colorScheme });

/**
 * In each appearance, nothing is wider than the screen, and axe finds nothing: all rules in the first one, and in the others the rules of
 * colours and widths. Afterwards the page has its size and colours again.
 */
export const expectClean = async (
  page: Page,
  state: string,
  { given = oppositeAppearances, picture, exception = 'none', showColors = changeColors }: Look = {},
): Promise<void> => {
  const size = page.viewportSize();
  for (const [index, [width, colorScheme]] of given.entries()) {
    await page.setViewportSize({ width, height: 844 });
    await showColors(page, colorScheme);
    // A chart takes its new size after the next frame.
    await expect
      .poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth), { message: `${state} ${width}` })
      .toBeLessThanOrEqual(0);
    const violations = await violationsOf(page, index === 0 ? allRules : rulesOfAppearance);
    expect([state, width, colorScheme, violations.filter((line) => !line.includes(` ${exception}: `))]).toEqual([
      state,
      width,
      colorScheme,
      [],
    ]);
    if (picture) await saveScreenshot(page, `${picture}-${state}-${width}-${colorScheme}`);
  }
  if (size) await page.setViewportSize(size);
  await showColors(page, 'light');
};
