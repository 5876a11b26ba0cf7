/** What axe-core finds wrong with a page as it stands; no rule is left out. */
import axe, { type AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

/** Widths of a desk's and a phone's screen in pixels, by day and by night. */
export const appearances = [
  [1280, 'light'],
  [1280, 'dark'],
  [375, 'light'],
  [375, 'dark'],
] as const;

/** One line for each rule that is broken, with the elements that break it. */
export const violationsOf = async (page: Page): Promise<string[]> => {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(
    () => (globalThis as unknown as { axe: { run(): Promise<AxeResults> } }).axe.run() as Promise<AxeResults>,
  );
  return violations.map(({ id, impact, nodes }) => `${impact} ${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`);
};
