// Measures the pages of the console in Chromium, against a stack of its own: `npm run bench:console`.
import type { Browser } from 'playwright-core';
import type { Stack } from '../../../deploy/local/stack-file';
import { launchChromium } from '../../support/chromium';
import { LocalStack } from '../../support/local-stack';
import { type Goal, goalsTable } from '../goals';
import { textTable } from '../text-table';
import { type FirstPage, measureFirstPages } from './first-page';
import { SIZES, measureLists } from './list-times';
import { OPEN_PAGES, measureOpenPages } from './open-pages';

const GOAL_FIRST_PAGE_MS = 1_000;
const GOAL_FIRST_PAGE_KB = 200;
const GOAL_OPEN_PAGE_PERCENT = 1;
/** The largest ratio between the times at a million and at a thousand jobs that counts as equal, as in `bench:report`. */
const GOAL_SIZE_RATIO = 1.2;

async function main(): Promise<void> {
  // The sign-ins of the measurement come from one address.
  const stack = await LocalStack.start({ env: { LOG_LEVEL: 'warn', KINORA_CONSOLE_SIGN_INS_RPM: '1000' } });
  const browser = await launchChromium();
  try {
    const goals = await measure(await stack.describe(), browser);
    console.log(`\n${goalsTable(goals)}`);
  } finally {
    await browser.close();
    // The jobs of the lists have no money behind them, so the books are not compared.
    await stack.end();
  }
}

async function measure(stack: Stack, browser: Browser): Promise<Goal[]> {
  const pages = await measureFirstPages(stack, browser);
  console.log('Loads with an empty cache, from the navigation until the page is usable:\n');
  console.log(textTable(['page', 'loads', 'p50 ms', 'slowest ms', 'kB received'], pages.map(rowOf)));
  const { openPercent, closedPercent } = await measureOpenPages(stack, browser);
  console.log(`\nPercent of a core, all processes of the stack, in turn:`);
  console.log(`  ${OPEN_PAGES} overviews of operators open: ${openPercent.map(figureOf).join(', ')}`);
  console.log(`  none open: ${closedPercent.map(figureOf).join(', ')}`);
  const lists = await measureLists(stack, browser);
  console.log('\nA page of twenty jobs through the console, p50 ms:\n');
  console.log(textTable(['list', ...SIZES.map((size) => `${size.toLocaleString('en')} jobs`)], lists));
  const pagePercent = (mean(openPercent) - mean(closedPercent)) / OPEN_PAGES;
  return [
    ...pages.flatMap(goalsOf),
    {
      what: 'one open overview',
      wanted: { atMost: GOAL_OPEN_PAGE_PERCENT },
      measured: pagePercent,
      unit: '% of a core',
    },
    ...lists.map(([name, few, many]) => ({
      ...{ what: `${name}: a million against a thousand`, wanted: { atMost: GOAL_SIZE_RATIO } },
      ...{ measured: many / few, unit: '×' },
    })),
  ];
}

function rowOf({ name, loadsMs, p50Ms, slowestMs, receivedKb }: FirstPage): (string | number)[] {
  return [name, loadsMs.length, p50Ms, slowestMs, receivedKb];
}

function goalsOf({ name, p50Ms, receivedKb }: FirstPage): Goal[] {
  return [
    { what: `${name}: usable`, wanted: { atMost: GOAL_FIRST_PAGE_MS }, measured: p50Ms, unit: 'ms' },
    { what: `${name}: received`, wanted: { atMost: GOAL_FIRST_PAGE_KB }, measured: receivedKb, unit: 'kB' },
  ];
}

const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const figureOf = (value: number): string => value.toFixed(2);

void main();
