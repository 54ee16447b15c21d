import { setTimeout as delay } from 'node:timers/promises';
import type { Browser, BrowserContext } from 'playwright-core';
import type { Stack } from '../../../deploy/local/stack-file';
import { cpuMsByName } from '../process-cpu';
import { hasLoaded } from './first-page';

/** Open at once, because the cost of one is within the noise of a stack that does nothing else. */
export const OPEN_PAGES = 10;
const ROUNDS = 3;
const WINDOW_MS = 20_000;
/** A stack compiles code and fills caches in its first minute. */
const SETTLED_MS = 20_000;
const PASSWORD = 'correct horse battery staple';

export interface OpenPagesCost {
  /** Percent of one core, of all processes of the stack without the browser's, in each round. */
  openPercent: number[];
  closedPercent: number[];
}

/** What open overviews of operators cost the whole stack. The rounds alternate, so that other load on the machine hits both. */
export async function measureOpenPages(stack: Stack, browser: Browser): Promise<OpenPagesCost> {
  const context = await signInOperator(browser, String(stack.console_setup_url));
  await delay(SETTLED_MS);
  const cost: OpenPagesCost = { openPercent: [], closedPercent: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    const pages = await Promise.all(Array.from({ length: OPEN_PAGES }, () => openOverview(context)));
    cost.openPercent.push(await measureWindow(stack.pid));
    await Promise.all(pages.map((page) => page.close()));
    cost.closedPercent.push(await measureWindow(stack.pid));
  }
  await context.close();
  return cost;
}

async function signInOperator(browser: Browser, setupUrl: string): Promise<BrowserContext> {
  const context = await browser.newContext({ baseURL: new URL(setupUrl).origin });
  const page = await context.newPage();
  await page.goto(setupUrl);
  await page.getByRole('textbox', { name: 'E-mail' }).fill('ada@example.com');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Once more').fill(PASSWORD);
  await page.getByRole('button', { name: 'Create the operator' }).click();
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  await page.close();
  return context;
}

async function openOverview(context: BrowserContext): ReturnType<BrowserContext['newPage']> {
  const page = await context.newPage();
  await page.goto('/operator');
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  await hasLoaded(page);
  return page;
}

async function measureWindow(launcherPid: number): Promise<number> {
  const before = await cpuMs(launcherPid);
  await delay(WINDOW_MS);
  return (((await cpuMs(launcherPid)) - before) / WINDOW_MS) * 100;
}

async function cpuMs(launcherPid: number): Promise<number> {
  const byName = await cpuMsByName(launcherPid, new Map());
  return [...byName.values()].reduce((sum, ms) => sum + ms, 0);
}
