import { performance } from 'node:perf_hooks';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { Stack } from '../../../deploy/local/stack-file';
import { median } from '../load';

/** Loads of each page, each in a browser context of its own, and so with an empty cache. */
const LOADS = 15;
/** Chromium compiles and reads its own files during the first ones. */
const WARM_UPS = 2;

export interface FirstPage {
  name: string;
  loadsMs: number[];
  p50Ms: number;
  slowestMs: number;
  /** Everything that came over the connection until the page was usable, compressed as it was sent. */
  receivedKb: number;
}

type Session = Awaited<ReturnType<BrowserContext['storageState']>>;

interface Load {
  name: string;
  /** Of a signed-in browser. */
  session?: Session;
  isUsable: (page: Page) => Promise<void>;
}

/** The sign-in of customers, and the first page behind it. */
export async function measureFirstPages({ console_url, api_key }: Stack, browser: Browser): Promise<FirstPage[]> {
  const { origin } = new URL(console_url);
  const session = await signIn(browser, origin, api_key);
  return [
    await measureLoads(browser, origin, { name: 'sign-in', isUsable: hasFocusedField }),
    await measureLoads(browser, origin, { name: 'home', session, isUsable: showsHome }),
  ];
}

export async function signIn(browser: Browser, origin: string, apiKey: string): Promise<Session> {
  const context = await browser.newContext({ baseURL: origin });
  const page = await context.newPage();
  await page.goto('/');
  await page.getByRole('textbox', { name: 'API key' }).fill(apiKey);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await showsHome(page);
  const session = await context.storageState();
  await context.close();
  return session;
}

async function measureLoads(browser: Browser, origin: string, load: Load): Promise<FirstPage> {
  const loads: { ms: number; bytes: number }[] = [];
  for (let number = 0; number < WARM_UPS + LOADS; number += 1) loads.push(await measureLoad(browser, origin, load));
  const counted = loads.slice(WARM_UPS);
  const loadsMs = counted.map(({ ms }) => ms);
  const receivedKb = median(counted.map(({ bytes }) => bytes)) / 1_000;
  return { name: load.name, loadsMs, p50Ms: median(loadsMs), slowestMs: Math.max(...loadsMs), receivedKb };
}

async function measureLoad(
  browser: Browser,
  origin: string,
  { session, isUsable }: Load,
): Promise<{ ms: number; bytes: number }> {
  const context = await browser.newContext({ baseURL: origin, ...(session && { storageState: session }) });
  const page = await context.newPage();
  const network = await context.newCDPSession(page);
  let bytes = 0;
  network.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
  await network.send('Network.enable');
  const begunAt = performance.now();
  await page.goto('/', { waitUntil: 'commit' });
  await isUsable(page);
  const ms = performance.now() - begunAt;
  await context.close();
  return { ms, bytes };
}

const hasFocusedField = (page: Page): Promise<void> =>
  page.getByRole('textbox', { name: 'API key' }).and(page.locator(':focus')).waitFor();

/** Its heading is there, and no part of it still loads. */
async function showsHome(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  await page.getByText('Available').first().waitFor();
  await hasLoaded(page);
}

/** No part of the page shows that it still loads. */
export async function hasLoaded(page: Page): Promise<void> {
  await page.locator('[role=status] > span + span').first().waitFor({ state: 'detached' });
}
