import { Pool } from 'undici';
import type { Browser } from 'playwright-core';
import type { Stack } from '../../../deploy/local/stack-file';
import { createAccounts } from '../report/measure-table-sizes';
import { runLoad } from '../load';
import { measureInRounds } from '../rounds';
import { signIn } from './first-page';

/** Jobs of the accounts that are compared. */
export const SIZES = [1_000, 1_000_000];
/** The first round warms up. */
const ROUNDS = 4;
const ROUND_MS = 1_000;
const JOBS = '/admin/v1/customer/jobs?limit=20';
const LISTS = {
  'Jobs, first page': () => JOBS,
  'Jobs, a later page': (cursor: string) => `${JOBS}&cursor=${cursor}`,
  'Jobs that failed': () => `${JOBS}&status=failed`,
  'Usage by day': () => '/admin/v1/customer/usage',
};

interface SignedIn {
  cookie: string;
  /** Of a page in the middle of the smallest account. */
  cursor: string;
}

/** @returns for each list its name and its median time for each size, one request at a time. */
export async function measureLists(stack: Stack, browser: Browser): Promise<[string, number, number][]> {
  const { origin } = new URL(stack.console_url);
  const pool = new Pool(origin, { connections: 1 });
  try {
    const apiKeys = await createAccounts(stack.nats_url, stack.database_url, SIZES);
    const accounts: SignedIn[] = [];
    for (const apiKey of apiKeys) accounts.push(await openAccount(pool, browser, apiKey, origin));
    const loads = Object.entries(LISTS).flatMap(([name, pathOf]) =>
      accounts.map(({ cookie, cursor }, place) => {
        const work = () => read(pool, pathOf(cursor), cookie);
        return [`${name} ${place}`, () => runLoad({ clients: 1, durationMs: ROUND_MS, work })] as const;
      }),
    );
    await measureInRounds(1, Object.fromEntries(loads));
    const measured = await measureInRounds(ROUNDS - 1, Object.fromEntries(loads));
    const p50Of = (name: string) => measured[name]?.p50Ms ?? Number.NaN;
    return Object.keys(LISTS).map((name) => [name, p50Of(`${name} 0`), p50Of(`${name} 1`)]);
  } finally {
    await pool.close();
  }
}

async function openAccount(pool: Pool, browser: Browser, apiKey: string, origin: string): Promise<SignedIn> {
  const { cookies } = await signIn(browser, origin, apiKey);
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  let cursor = '';
  for (let page = 0; page < 25; page += 1) {
    const body = await read(pool, cursor === '' ? JOBS : `${JOBS}&cursor=${cursor}`, cookie);
    cursor = encodeURIComponent((JSON.parse(body) as { next_cursor: string }).next_cursor);
  }
  return { cookie, cursor };
}

async function read(pool: Pool, path: string, cookie: string): Promise<string> {
  const response = await pool.request({ method: 'GET', path, headers: { cookie } });
  const body = await response.body.text();
  if (response.statusCode !== 200) throw new Error(`GET ${path} answered ${response.statusCode}: ${body}`);
  return body;
}
