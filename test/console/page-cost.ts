// Measures what one open overview page of the operators' console costs the whole service, on the local stack:
//   node deploy/build/build.mjs && node -r ./test/typescript.cjs test/console/page-cost.ts
// It prints the CPU time of all processes of the stack, without the browser's, with no page open and with one.
import { readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { LocalStack } from '../support/local-stack';
import { launchChromium } from './chromium';
import { WatchedPage } from './watched-page';

const WINDOW_SECONDS = 60;
/** The first minute of a stack compiles code and fills caches. */
const WARM_UP_SECONDS = 60;
/** Of Linux on every usual platform. */
const TICKS_PER_SECOND = 100;
const PASSWORD = 'correct horse battery staple';

void main();

async function main(): Promise<void> {
  const stack = await LocalStack.start();
  const browser = await launchChromium();
  try {
    const { console_setup_url: link, pid } = await stack.describe();
    const watched = await WatchedPage.open(browser, new URL(String(link)).origin);
    await watched.page.goto(String(link));
    await watched.page.getByRole('textbox', { name: 'E-mail' }).fill('ada@example.com');
    await watched.page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await watched.page.getByLabel('Once more').fill(PASSWORD);
    await watched.page.getByRole('button', { name: 'Create the operator' }).click();
    await watched.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await delay(WARM_UP_SECONDS * 1_000);
    const shares = { open: [] as number[], closed: [] as number[] };
    // In turns, so that a change of the machine's load hits both.
    for (let round = 0; round < 3; round += 1) {
      await watched.visit('/operator', 'Overview');
      shares.open.push(await measure(pid, stack.dataDir));
      await watched.page.goto('about:blank');
      shares.closed.push(await measure(pid, stack.dataDir));
    }
    const [open, closed] = [mean(shares.open), mean(shares.closed)];
    console.log(JSON.stringify({ ...shares, open_percent: open, closed_percent: closed, page_percent: open - closed }));
  } finally {
    await browser.close();
    await stack.stop();
  }
}

/** Percent of one core that the stack has used. */
async function measure(launcher: number, dataDir: string): Promise<number> {
  const before = cpuSeconds(launcher, dataDir);
  await delay(WINDOW_SECONDS * 1_000);
  const after = cpuSeconds(launcher, dataDir);
  let used = 0;
  for (const [pid, seconds] of after) used += seconds - (before.get(pid) ?? 0);
  return (used / WINDOW_SECONDS) * 100;
}

/** The CPU time of the launcher, of all that it has started, and of PostgreSQL, which works in the data folder. */
function cpuSeconds(launcher: number, dataDir: string): Map<number, number> {
  const seconds = new Map<number, number>();
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    const stat = Number.isInteger(pid) ? readOrNull(() => readFileSync(`/proc/${pid}/stat`, 'utf8')) : null;
    if (stat === null) continue;
    // The name of the program in brackets may hold anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    parents.set(pid, Number(fields[1]));
    seconds.set(pid, (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND);
  }
  const belongs = (pid: number): boolean => {
    for (let each: number | undefined = pid; each !== undefined && each > 1; each = parents.get(each))
      if (each === launcher || readOrNull(() => readlinkSync(`/proc/${each}/cwd`))?.startsWith(dataDir)) return true;
    return false;
  };
  return new Map([...seconds].filter(([pid]) => belongs(pid)));
}

/** Null where the process has ended, or belongs to another user. */
function readOrNull(read: () => string): string | null {
  try {
    return read();
  } catch {
    return null;
  }
}

const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
