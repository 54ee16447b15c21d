import { waitFor } from '@kinora/testing';
import type { Locator, Page, Request, Route } from 'playwright-core';
import { openAccount } from '../support/operator';
import { ConsolePages } from './console-pages';
import { tabTo, WIDTHS } from './watched-page';

const API = '**/admin/v1/customer';
const WITHIN = { timeoutMs: 60_000 };

describe('customers, when something goes wrong', () => {
  let pages: ConsolePages;

  beforeAll(async () => {
    pages = await ConsolePages.ofCustomer();
    const body = JSON.stringify({ prompt: 'a calm lake', model: 'fast-image' });
    await pages.stack.call('/images/generations', { method: 'POST', body });
  });

  afterAll(() => pages?.close());

  async function fillIn(page: Page, prompt: string): Promise<void> {
    await page.getByRole('textbox', { name: 'Prompt' }).fill(prompt);
    await page.getByRole('combobox', { name: 'Model' }).selectOption('fast-image');
  }

  it('are told that the console cannot be reached, beside what was read before', async () => {
    const watched = await pages.open();
    const { page } = watched;
    const alert = page.getByRole('alert').getByText('The console cannot be reached.');
    await page.clock.install();
    await watched.visit('/jobs', 'Jobs');
    await page.route(`${API}/**`, (route) => route.abort());
    await passUntil(alert);
    await page.getByRole('link', { name: 'a calm lake' }).waitFor();
    await page.getByRole('link', { name: 'Usage', exact: true }).click();
    await alert.waitFor({ state: 'detached' });
    await passUntil(alert);
    await page.unroute(`${API}/**`);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Spend by day').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await watched.close();
  });

  it('are told on each page that its answer takes longer than usual', async () => {
    const watched = await pages.open();
    const { page } = watched;
    await page.clock.install();
    await page.route(`${API}/**`, () => undefined);
    for (const [address, heading] of [
      ['/jobs', 'Jobs'],
      ['/usage', 'Usage'],
      ['/money', 'Money'],
    ] as const) {
      await page.goto(address);
      await page.getByRole('heading', { level: 1, name: heading }).waitFor();
      await passUntil(page.getByText('This takes longer than usual.').first());
      // Nothing is stated that has not been read.
      for (const text of ['Off', 'None']) expect(await page.getByText(text, { exact: true }).count()).toBe(0);
    }
    await watched.close();
  });

  it('see nothing of the account whose session ended before theirs', async () => {
    const { client, apiKey } = await openAccount(pages.stack, { name: 'Other' });
    await client.generate({ prompt: 'a secret garden', model: 'fast-image' });
    const watched = await pages.openSignedOut();
    const { page } = watched;
    await page.clock.install();
    await page.goto('/jobs');
    await watched.signIn(apiKey);
    await page.getByRole('link', { name: 'a secret garden' }).waitFor();
    await page.context().clearCookies();
    await passUntil(page.getByRole('textbox', { name: 'API key' }));
    // No answer replaces what the page still knows.
    await page.route(`${API}/**`, () => undefined);
    await watched.signIn(pages.apiKey);
    await page.getByRole('heading', { level: 1, name: 'Jobs' }).waitFor();
    expect(await page.getByText('a secret garden').count()).toBe(0);
    expect(await page.getByText('Other').count()).toBe(0);
    await watched.close();
  });

  it('send one request for a filter that is typed letter by letter', () =>
    pages.visit('/webhooks', 'Webhooks', async (page) => {
      const hosts: (string | null)[] = [];
      page.on('request', (request) => {
        const { pathname, searchParams } = new URL(request.url());
        if (pathname.endsWith('/deliveries')) hosts.push(searchParams.get('host'));
      });
      const field = page.getByRole('textbox', { name: 'Host of the receiver' });
      await field.focus();
      // In one task of the page: on a busy machine, the pause between two pressed keys may be as long as that after the last one.
      await page.evaluate(typeLetters('hooks.example.com'));
      await waitFor(() => hosts.includes('hooks.example.com'), WITHIN);
      expect(hosts.filter((host) => host !== null)).toEqual(['hooks.example.com']);
    }));

  it('pay for one image after a double click, and for another one after a further click', () =>
    pages.visit('/playground', 'Playground', async (page) => {
      await fillIn(page, 'two quick clicks');
      const held: Route[] = [];
      await page.route(`${API}/images/generations`, (route) => void held.push(route));
      const generate = page.getByRole('button', { name: 'Generate' });
      await page.getByRole('status', { name: 'Price' }).getByText('$0.005').waitFor();
      await generate.dblclick();
      await generate.click();
      await waitFor(() => held.length >= 2, WITHIN);
      expect(await page.getByText('Sending the request…').count()).toBe(2);
      for (const route of held) await route.continue();
      await waitFor(async () => (await page.getByRole('img', { name: 'two quick clicks' }).count()) === 2, WITHIN);
      expect(held).toHaveLength(2);
    }));

  it('send a blocked prompt once for all compared models, and are not asked to try again', async () => {
    const watched = await pages.open();
    const { page } = watched;
    await watched.visit('/playground', 'Playground');
    const created: string[] = [];
    page.on('request', (request) => request.url().endsWith('/images/generations') && created.push(request.url()));
    await page.getByRole('textbox', { name: 'Prompt' }).fill('KINORA-MODERATION-TEST-BLOCK');
    await page.getByRole('button', { name: 'Compare side by side' }).click();
    await page.getByRole('status', { name: 'Price' }).getByText('2 models').waitFor();
    await page.getByRole('button', { name: 'Generate' }).click();
    await waitFor(async () => (await page.getByRole('alert').count()) === 2, WITHIN);
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    expect(created).toHaveLength(1);
    await watched.close();
  });

  it('see a job as past that was created after a while on a page without times, and named in its tab', async () => {
    const watched = await pages.open();
    const { page } = watched;
    await page.clock.install({ time: Date.now() - 15_000 });
    await watched.visit('/playground', 'Playground');
    await page.clock.fastForward(15_000);
    await fillIn(page, 'a late lake');
    await page.getByRole('status', { name: 'Price' }).getByText('$0.005').waitFor();
    await page.getByRole('button', { name: 'Generate' }).click();
    await page.getByRole('link', { name: 'Details' }).click();
    await page.getByRole('heading', { name: 'Timeline' }).waitFor();
    await waitFor(async () => (await page.title()).startsWith('a late lake'), WITHIN);
    await page.getByRole('link', { name: 'Jobs', exact: true }).click();
    const row = page.getByRole('row').filter({ hasText: 'a late lake' });
    expect(await row.locator('time').first().textContent()).toMatch(/^(now|\d+ s ago)$/);
    await watched.close();
  });

  it('start nothing whose price is unknown, and get the price as soon as it can be had', async () => {
    const watched = await pages.open();
    const { page } = watched;
    await page.clock.install();
    await page.route(`${API}/quotes`, (route) => route.abort());
    await watched.visit('/playground', 'Playground');
    await fillIn(page, 'a fen without a price');
    await page.getByRole('alert').getByText('The console cannot be reached.').waitFor();
    expect(await page.getByRole('button', { name: 'Generate' }).isDisabled()).toBe(true);
    await page.unroute(`${API}/quotes`);
    await passUntil(page.getByRole('status', { name: 'Price' }).getByText('$0.005'));
    expect(await page.getByRole('button', { name: 'Generate' }).isEnabled()).toBe(true);
    await watched.close();
  });

  it('keep the secret of a new key, whatever they press while it is made', () =>
    pages.visit('/keys', 'Keys', async (page) => {
      await page.getByRole('button', { name: 'Create a key' }).click();
      await page.getByRole('textbox', { name: 'Name' }).fill('hasty');
      let release: () => void = () => undefined;
      const released = new Promise<void>((resolve) => (release = resolve));
      await page.route(`${API}/account/keys`, async (route) => {
        await released;
        await route.continue();
      });
      const escape = async () => {
        for (let presses = 0; presses < 3; presses += 1) await page.keyboard.press('Escape');
      };
      await page.getByRole('button', { name: 'Create', exact: true }).click();
      await escape();
      release();
      const secret = page.getByLabel('API key', { exact: true }).getByText(/^knr_live_/);
      await secret.waitFor();
      await escape();
      expect(await secret.isVisible()).toBe(true);
      await page.getByRole('button', { name: 'I have stored it' }).click();
      await secret.waitFor({ state: 'detached' });
    }));

  it('can use the other pages while many jobs run', async () => {
    const { apiKey } = await openAccount(pages.stack, { name: 'Busy' });
    const watched = await pages.openSignedOut();
    const { page } = watched;
    await page.goto('/playground');
    await watched.signIn(apiKey);
    await fillIn(page, 'slow dunes [[delay:86400s]]');
    // Its creation is answered at once.
    await page.getByRole('combobox', { name: 'Model' }).selectOption('general-image');
    const streams = new Set<Request>();
    page.on('request', (request) => request.url().endsWith('/events') && streams.add(request));
    page.on('requestfailed', (request) => streams.delete(request));
    for (let runs = 1; runs <= 8; runs += 1) {
      await page.getByRole('button', { name: 'Generate' }).click();
      await waitFor(async () => (await page.getByRole('progressbar').count()) === runs, WITHIN);
      await waitFor(async () => (await page.getByText('Sending the request…').count()) === 0, WITHIN);
    }
    await page.getByRole('combobox', { name: 'Model' }).selectOption('fast-image');
    await page.getByRole('status', { name: 'Price' }).getByText('$0.005').waitFor();
    expect(streams.size).toBe(4);
    await show(page, 'hidden');
    await waitFor(() => streams.size === 0, WITHIN);
    await show(page, 'visible');
    await waitFor(() => streams.size === 4, WITHIN);
    await page.getByRole('link', { name: 'Jobs', exact: true }).click();
    await waitFor(async () => (await page.getByRole('cell', { name: 'Reserved $0.02' }).count()) === 8, WITHIN);
    await page.getByRole('combobox', { name: 'Status' }).selectOption('failed');
    await page.getByText('Nothing matches the filters').waitFor();
    expect(watched.problems).toEqual([]);
    await watched.close();
  });

  it.each(WIDTHS)('open a request with what was wrong with it, and without its body, at %i px', async (width) => {
    const body = JSON.stringify({ model: 'fast-image', prompt: 'A secret fox', n: 77 });
    const response = await pages.stack.call('/images/generations', { method: 'POST', body });
    const id = String(response.headers.get('x-request-id'));
    await pages.with({ width }).inspect(`/requests/${id}`, 'Request', async (page) => {
      // The log has it a few seconds after its end.
      const size = page.getByText(`${body.length} B. The body itself is not kept.`);
      await waitFor(async () => (await page.reload()) !== null && (await size.isVisible()), WITHIN);
      for (const text of ['400', 'invalid_body', 'POST /v1/images/generations'])
        await page.getByText(text, { exact: true }).waitFor();
      await page.getByText(/^n must be/).waitFor();
      const link = page.getByRole('link', { name: 'invalid_body' });
      expect(await link.getAttribute('href')).toMatch(/\d\/docs#error-invalid-body$/);
      expect(await page.content()).not.toContain('secret');
    });
  });

  it.each(WIDTHS)('read early that the balance ends, and top up where they read it, at %i px', async (width) => {
    const { apiKey, client } = await openAccount(pages.stack, { balance_micros: 6_000, key_scope: 'account' });
    await client.ended((await client.generate({ model: 'fast-image', prompt: 'Dunes' })).id);
    const watched = await pages.open({ width, session: { cookies: [], origins: [] } });
    const { page } = watched;
    await page.goto('/');
    await watched.signIn(apiKey);
    await page.getByRole('alert').getByText('The balance lasts about 1 day at the rate of the last 7 days.').waitFor();
    expect(await watched.findings()).toEqual([]);
    await tabTo(page, 'Top up');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Top up' }).waitFor();
    await watched.visit('/money', 'Money');
    await page.getByRole('alert').getByText('Top up, or switch auto-recharge on.').waitFor();
    expect(await watched.findings()).toEqual([]);
    await watched.close();
  });
});

/** Lets the clock of the page run ahead, which reads again at intervals, until it shows the element. */
async function passUntil(shown: Locator): Promise<void> {
  await waitFor(async () => {
    await shown.page().clock.fastForward(1_000);
    return shown.isVisible();
  }, WITHIN);
}

/** A program that changes the focused field as the keys of a text do, letter by letter. */
const typeLetters = (text: string): string =>
  `for (const letter of ${JSON.stringify(text)}) document.execCommand('insertText', false, letter)`;

/** A headless browser has no tabs that hide each other. */
async function show(page: Page, state: 'hidden' | 'visible'): Promise<void> {
  await page.evaluate(`Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`);
}
