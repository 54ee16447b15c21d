import type { Page } from 'playwright-core';

const PRESSES_MAX = 60;

/** What has the focus, by its name. */
export const focused = (page: Page) =>
  page.evaluate<string>(`(() => {
    const element = document.activeElement;
    return element.ariaLabel ?? element.labels?.[0]?.textContent ?? element.textContent.trim();
  })()`);

/** Presses Tab until the element of this name has the focus. */
export async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < PRESSES_MAX; presses += 1) {
    await page.keyboard.press('Tab');
    if ((await focused(page)) === name) return;
  }
  throw new Error(`Tab does not reach "${name}".`);
}
