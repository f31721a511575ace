import type { BrowserPage, Layout } from './browser.ts';

/** The least height of a button or link, in CSS pixels (WCAG 2.2, 2.5.5). */
const LEAST_TARGET = 44;

/** Lists the faults of a page in its present size. axe must be loaded into the page. */
const listFaults = async (page: BrowserPage, width: number): Promise<string[]> => {
  const faults: string[] = [];
  const scrolls = await page.evaluate('document.documentElement.scrollWidth');
  if (scrolls !== width) faults.push(`the page is ${scrolls} px wide`);
  const small = await page.evaluate(
    `[...document.querySelectorAll('button, a.primary, a.quiet, summary')]
      .filter((target) => target.checkVisibility() && target.getBoundingClientRect().height < ${LEAST_TARGET})
      .map(({ textContent }) => textContent)`,
  );
  faults.push(...(small as string[]).map((text) => `${text} is too small`));
  const violations = await page.evaluate(
    `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes[0].html))`,
  );
  faults.push(...(violations as string[]));
  return faults;
};

/** Expects that a payment page has a good layout in each size: nothing is cut off, targets are large enough, and `axe` finds no violation. */
export const expectGoodLayouts = async (page: BrowserPage, axe: string, layouts: readonly Layout[]): Promise<void> => {
  await page.evaluate(axe);
  for (const { viewport, colorScheme } of layouts) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    const { width } = viewport;
    expect([width, colorScheme, ...(await listFaults(page, width))]).toEqual([width, colorScheme]);
  }
};
