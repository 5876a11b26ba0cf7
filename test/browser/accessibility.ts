/** Violations that axe-core finds on a page, with all rules. */
import axe, { type AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

/** Widths of a desktop and a phone screen in pixels, in light and dark mode. */
export const appearances = [
  [1280, 'light'],
  [1280, 'dark'],
  [375, 'light'],
  [375, 'dark'],
] as const;

/** One line for each violated rule, with its elements. */
export const violationsOf = async (page: Page): Promise<string[]> => {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(
    () => (globalThis as unknown as { axe: { run(): Promise<AxeResults> } }).axe.run() as Promise<AxeResults>,
  );
  return violations.map(({ id, impact, nodes }) => `${impact} ${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`);
};
