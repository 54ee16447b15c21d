import type { Browser } from 'playwright-core';
import { waitFor } from '@kinora/testing';
import { LocalStack } from '../support/local-stack';
import { launchChromium } from './chromium';
import { writeGuideImage } from './guide-images';
import { type PageOptions, WatchedPage, WIDTHS } from './watched-page';

const PAGES = [
  ['/operator', 'Overview'],
  ['/operator/accounts', 'Accounts'],
  ['/operator/jobs', 'Jobs'],
  ['/operator/compute', 'Compute'],
  ['/operator/models', 'Models'],
  ['/operator/moderation', 'Moderation'],
  ['/operator/moderation?show=strikes', 'Moderation'],
  ['/operator/moderation?show=replay', 'Moderation'],
  ['/operator/webhooks', 'Webhooks'],
  ['/operator/ledger', 'Ledger'],
  ['/operator/audit', 'Audit'],
  ['/operator/users', 'Users'],
] as const;
const PROMPTS = ['A lighthouse in a storm', 'A red fox in the snow', 'Dunes under the stars'];
const PASSWORD = 'correct horse battery staple';

describe("the operators' pages", () => {
  let stack: LocalStack;
  let browser: Browser;
  let origin: string;
  let session: PageOptions['session'];

  beforeAll(async () => {
    browser = await launchChromium();
    stack = await LocalStack.start();
    origin = new URL((await stack.describe()).console_url).origin;
    for (const prompt of PROMPTS) {
      const body = JSON.stringify({ prompt, model: 'fast-image' });
      await stack.call('/images/generations', { method: 'POST', body });
    }
  });

  afterAll(async () => {
    await browser?.close();
    await stack?.stop();
  });

  const open = (options: PageOptions = {}) =>
    WatchedPage.open(browser, origin, { ...(session && { session }), ...options });

  it('open with the link of the first start', async () => {
    const { console_setup_url: link } = await stack.describe();
    const watched = await open();
    const { page } = watched;
    expect(link).toMatch(/\/operator\/setup#token=[0-9a-f]{64}$/);
    await page.goto(String(link));
    await page.getByRole('textbox', { name: 'E-mail' }).fill('ada@example.com');
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByLabel('Once more').fill(PASSWORD);
    expect(await watched.findings()).toEqual([]);
    expect(page.url()).not.toContain('token');
    await page.getByRole('button', { name: 'Create the operator' }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    expect(watched.problems).toEqual([]);
    session = await watched.session();
    await watched.close();
  });

  describe.each(WIDTHS)('at %i px', (width) => {
    it.each(PAGES)('have no fault that can be found: %s', async (path, heading) => {
      const watched = await open({ width });
      await watched.visit(path, heading);
      expect(await watched.findings()).toEqual([]);
      expect(watched.problems).toEqual([]);
      if (width > 1_000 && path === '/operator') await writeGuideImage(watched.page, 'operator-overview');
      await watched.close();
    });
  });

  it('move money with a reason, which stands in the audit trail', async () => {
    const watched = await open();
    const { page } = watched;
    await watched.visit('/operator/accounts', 'Accounts');
    await page.getByRole('link', { name: 'Demo' }).click();
    await page.getByRole('button', { name: 'Move money' }).click();
    await page.getByRole('textbox', { name: 'Amount in dollars' }).fill('2.50');
    await page.getByRole('textbox', { name: 'Reason' }).fill('an outage of an hour');
    await page.getByRole('button', { name: 'Move it' }).click();
    const password = page.getByRole('dialog', { name: 'Your password, please' });
    await waitFor(async () => (await password.count()) + (await page.getByText(/^\$102\.4\d*$/).count()) > 0);
    if ((await password.count()) > 0) {
      await password.getByLabel('Password').fill(PASSWORD);
      await password.getByRole('button', { name: 'Confirm' }).click();
    }
    await page
      .getByText(/^\$102\.4\d*$/)
      .first()
      .waitFor();
    await watched.visit('/operator/audit', 'Audit');
    await page.getByText('an outage of an hour').first().waitFor();
    await watched.close();
  });
});
