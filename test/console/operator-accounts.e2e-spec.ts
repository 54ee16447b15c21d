import { waitFor } from '@kinora/testing';
import type { LocalStack } from '../support/local-stack';
import { openAccount } from '../support/operator';
import { ConsolePages } from './console-pages';
import { act, setUpOperator } from './operator-pages';
import { Film, tabTo, WIDTHS } from './watched-page';

describe("the operators' pages of accounts", () => {
  let pages: ConsolePages;
  let stack: LocalStack;
  const film = new Film();
  /** Of the wide screen. */
  const filmAt = (width: number) => (width === WIDTHS[1] ? { width, film } : { width });

  beforeAll(async () => {
    pages = await ConsolePages.start();
    ({ stack } = pages);
    await setUpOperator(pages, film);
  });
  afterAll(() => pages?.close());

  it('list what a new installation lacks, and tick off a backup', () =>
    pages.with(filmAt(WIDTHS[1])).inspect('/operator', 'Overview', async (page, watched) => {
      const step = page.getByRole('listitem').filter({ hasText: 'A backup is set up' });
      await step.getByText('Open:').waitFor();
      await page.getByRole('listitem').filter({ hasText: 'A customer exists' }).getByText('Done:').waitFor();
      expect(await watched.findings()).toEqual([]);
      await step.getByRole('button', { name: 'Confirm' }).click();
      await act(watched, 'Confirm', 'restored last night', 'The backup is confirmed.');
      await step.getByText('Done:').waitFor();
    }));

  it.each(WIDTHS)('create an account with a key and credit, by keyboard, at %i px', (width) =>
    pages.with(filmAt(width)).visit('/operator/accounts', 'Accounts', async (page, watched) => {
      await tabTo(page, 'Create account');
      await page.keyboard.press('Enter');
      await page.getByRole('textbox', { name: 'Name', exact: true }).waitFor();
      await page.keyboard.type(`Acme ${width}`);
      await tabTo(page, 'Opening credit (USD)');
      await page.keyboard.type('1500');
      expect(await watched.findings()).toEqual([]);
      await act(watched, 'Create', 'a new customer', 'are written twice');
      expect(watched.problems.splice(0)).toEqual([expect.stringContaining('status of 400')]);
      await page.getByRole('textbox', { name: 'Repeat the amount' }).fill('1500.00');
      await page.getByRole('dialog').getByRole('button', { name: 'Create', exact: true }).click();
      const apiKey = await page.getByLabel('API key', { exact: true }).textContent();
      expect(apiKey).toMatch(/^knr_live_/);
      expect(await page.getByLabel('Webhook secret', { exact: true }).textContent()).toMatch(/^whsec_/);
      expect(await watched.findings()).toEqual([]);
      await page.getByRole('button', { name: 'I have stored it' }).click();
      await page.getByRole('heading', { level: 1, name: `Acme ${width}` }).waitFor();
      await page.getByText('+$1,500.00').waitFor();
      await page.getByRole('row', { name: new RegExp(`default ${String(apiKey).slice(0, 12)}`) }).waitFor();
      await page.getByRole('button', { name: 'New key' }).click();
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill('web shop');
      await act(watched, 'Create', 'asked for it', 'Copy it now');
      expect(await watched.findings()).toEqual([]);
      await page.getByRole('button', { name: 'I have stored it' }).click();
      await page.getByRole('button', { name: 'Revoke web shop' }).click();
      await act(watched, 'Revoke for good', 'it leaked', 'The key is revoked.');
      await page
        .getByRole('row', { name: /^web shop/ })
        .getByText('revoked')
        .waitFor();
      expect(await watched.findings()).toEqual([]);
    }),
  );

  it('make one account where the answer to the form was lost', async () => {
    const watched = await pages.open();
    const { page } = watched;
    await watched.visit('/operator/accounts', 'Accounts');
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Lost answers');
    await page.route('**/operator/accounts', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await page.getByRole('textbox', { name: 'Reason' }).fill('a new customer');
    await page.getByRole('dialog').getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByText('The console cannot be reached.').waitFor();
    await page.unroute('**/operator/accounts');
    await page.getByRole('dialog').getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('heading', { name: 'The account exists already' }).waitFor();
    expect(await watched.findings()).toEqual([]);
    await page.getByRole('link', { name: 'Open the account' }).click();
    await page.getByRole('heading', { level: 1, name: 'Lost answers' }).waitFor();
    await watched.visit('/operator/accounts?search=Lost', 'Accounts');
    expect(await page.getByRole('link', { name: 'Lost answers' }).count()).toBe(1);
    await watched.close();
  });

  it('change an account with reasons, which stand in the audit trail', () =>
    pages.with(filmAt(WIDTHS[1])).visit('/operator/accounts', 'Accounts', async (page, watched) => {
      await page.getByRole('link', { name: 'Demo' }).click();
      await page.getByRole('button', { name: 'Move money' }).click();
      await page.getByText('Money that the customer has paid elsewhere').waitFor();
      await page.getByRole('textbox', { name: 'Amount (USD)' }).fill('2.50');
      await page.getByText(/^Balance: \$[\d,.]+, then \$[\d,.]+\.$/).waitFor();
      expect(await watched.findings()).toEqual([]);
      await act(watched, 'Apply', 'an outage of an hour', 'The statement has the new entry.');
      await page.getByText('+$2.50').first().waitFor();
      await page.getByRole('button', { name: 'Limits' }).click();
      await page.getByRole('textbox', { name: 'Requests a minute' }).fill('777');
      await act(watched, 'Change', 'a busy day', 'The limits are changed.');
      await page.getByText('777', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Status' }).click();
      await page.getByRole('dialog').getByRole('combobox', { name: 'Status' }).selectOption('suspended');
      expect(await watched.findings()).toEqual([]);
      await act(watched, 'Change', 'unpaid invoices', 'The status is changed.');
      await page.getByRole('main').getByText('suspended', { exact: true }).first().waitFor();
      await page.getByRole('button', { name: 'Status' }).click();
      await page.getByRole('dialog').getByRole('combobox', { name: 'Status' }).selectOption('active');
      await act(watched, 'Change', 'paid again', 'The status is changed.');
      await watched.visit('/operator/audit', 'Audit');
      for (const text of ['an outage of an hour', 'a busy day', 'unpaid invoices', 'paid again'])
        await page.getByText(text).first().waitFor();
      await page.getByText('status: active → suspended').waitFor();
      // What was changed has its name.
      await page.getByRole('table').getByRole('link', { name: 'Demo' }).first().waitFor();
      expect(await watched.findings()).toEqual([]);
    }));

  it.each(WIDTHS)('are reached by the name or id of an account, and by the id of a job, at %i px', async (width) => {
    const { accountId, client } = await openAccount(stack, { name: `Reached ${width}` });
    const { id: jobId } = await client.generate({ model: 'fast-image', prompt: 'Dunes' });
    await client.ended(jobId);
    await pages.with(filmAt(width)).inspect('/operator', 'Overview', async (page, watched) => {
      const goTo = async (text: string, heading: string, found: string) => {
        await page.keyboard.press('Control+k');
        await page.getByRole('dialog', { name: 'Go to' }).waitFor();
        await page.keyboard.type(text);
        await page.getByRole('list', { name: 'Found' }).getByRole('link', { name: found, exact: true }).waitFor();
        expect(await watched.findings()).toEqual([]);
        await page.keyboard.press('Enter');
        await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
      };
      await goTo(`reached ${width}`, `Reached ${width}`, `Account Reached ${width}`);
      await goTo('ledg', 'Ledger', 'Ledger');
      await goTo(accountId, `Reached ${width}`, `Account Reached ${width}`);
      await goTo(jobId, 'Job', `Job ${jobId}`);
      await watched.visit('/operator/audit', 'Audit');
      if (width > 640)
        await page
          .getByRole('table')
          .getByRole('link', { name: `Reached ${width}` })
          .first()
          .waitFor();
    });
  });

  it.each(WIDTHS)('show a name of one long word with markup as text, within the screen, at %i px', async (width) => {
    const name = `<img src=x onerror=alert(1)>${'W'.repeat(60)}`;
    const { accountId } = await openAccount(stack, { name });
    await pages.with({ width }).inspect(`/operator/accounts/${accountId}`, name, async (page, watched) => {
      expect(await watched.findings()).toEqual([]);
      await watched.visit('/operator/accounts', 'Accounts');
      await page.getByRole('link', { name }).first().waitFor();
    });
  });

  it.each(WIDTHS)('find the jobs of an account by its name, at %i px', async (width) => {
    const { client } = await openAccount(stack, { name: `Found ${width}` });
    await client.ended((await client.generate({ model: 'fast-image', prompt: 'Dunes' })).id);
    await pages.with({ width }).inspect('/operator/jobs', 'Jobs', async (page) => {
      const filter = page.getByRole('combobox', { name: 'Account' });
      expect(await filter.isVisible()).toBe(width > 640);
      if (width < 640) await page.getByRole('button', { name: 'Filters' }).click();
      await filter.fill(`Found ${width}`);
      const option = page.locator('datalist option');
      await option.waitFor({ state: 'attached' });
      // The list of suggestions belongs to the browser; picking one fills in its value.
      await filter.fill(String(await option.getAttribute('value')));
      await waitFor(async () => (await filter.inputValue()) === `Found ${width}`);
      await waitFor(async () => (await page.getByRole('row').count()) === 2);
      if (width > 640) await page.getByRole('link', { name: `Found ${width}` }).waitFor();
    });
  });

  it('are filmed for the guide', () => film.write('first-day'));
});
