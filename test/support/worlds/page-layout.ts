import type { BrowserPage, Layout } from './browser.ts';

/** CSS pixels (WCAG 2.2, 2.5.5). */
const LEAST_TARGET = 44;

/** What is wrong with a page as it is laid out now. axe was loaded into it. */
const faultsOf = async (page: BrowserPage, width: number): Promise<string[]> => {
  const faults: string[] = [];
  const scrolls = await page.evaluate('document.documentElement.scrollWidth');
  if (scrolls !== width) faults.push(`it is ${scrolls} px wide`);
  const small = await page.evaluate(
    `[...document.querySelectorAll('button, a.primary, a.quiet, summary')]
      .filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < ${LEAST_TARGET})
      .map(({ textContent }) => textContent)`,
  );
  faults.push(...(small as string[]).map((text) => `${text} is too small`));
  const found = await page.evaluate(
    `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes[0].html))`,
  );
  faults.push(...(found as string[]));
  return faults;
};

/** Expects that a payment page is right in each layout: nothing is cut off, targets are large enough, and `axe` complains of nothing. */
export const expectGoodLayouts = async (page: BrowserPage, axe: string, layouts: readonly Layout[]): Promise<void> => {
  await page.evaluate(axe);
  for (const { viewport, colorScheme } of layouts) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    const { width } = viewport;
    expect([width, colorScheme, ...(await faultsOf(page, width))]).toEqual([width, colorScheme]);
  }
};
