import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { waitFor } from '@kinora/testing';
import { ConsolePages } from './console-pages';
import { act, openAsOperator, PASSWORD } from './operator-pages';
import { Film, WatchedPage, WIDTHS } from './watched-page';

const WITHIN = { timeoutMs: 30_000 };

describe('the first hour of a customer', () => {
  let pages: ConsolePages;

  beforeAll(async () => {
    pages = await ConsolePages.start();
  });
  afterAll(() => pages?.close());

  /** The link of the latest e-mail to the address, as the local stack writes it to a file; not a known one. */
  async function linkTo(email: string, known = ''): Promise<string> {
    const folder = path.join(pages.stack.dataDir, 'mail');
    let found: string | undefined;
    await waitFor(async () => {
      const files = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.eml')).toSorted();
      const texts = await Promise.all(files.map((name) => readFile(path.join(folder, name), 'utf8')));
      const [text = ''] = texts.filter((each) => each.includes(`To: ${email}\r\n`)).slice(-1);
      found = /^https?:\/\/\S+#token=[\w-]+/m.exec(text.replaceAll('=\r\n', '').replaceAll('=3D', '='))?.[0];
      return found !== undefined && found !== known;
    }, WITHIN);
    return found ?? '';
  }

  async function choosePassword({ page }: WatchedPage): Promise<void> {
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByLabel('Repeat the password').fill(PASSWORD);
  }

  /** Pays at the page of the sandbox provider, with the last of the cards; the others are declined. */
  async function topUp(watched: WatchedPage, dollars: string, ...cards: string[]): Promise<void> {
    const { page } = watched;
    await watched.visit('/money', 'Money');
    await page.getByRole('button', { name: 'Top up' }).click();
    const dialog = page.getByRole('dialog', { name: 'Top up' });
    await dialog.getByRole('textbox', { name: 'Amount (USD)' }).fill(dollars);
    expect(await watched.findings()).toEqual([]);
    await dialog.getByRole('button', { name: 'Pay', exact: true }).click();
    await page.getByText('No card is charged').waitFor();
    for (const [place, card] of cards.entries()) {
      if (place > 0) await page.getByText('The card was declined').waitFor();
      await page.getByRole('combobox', { name: 'Card' }).selectOption(card);
      await page.getByRole('button', { name: 'Pay', exact: true }).click();
    }
    if (cards.at(-1) === 'second_step') await page.getByRole('button', { name: 'Confirm the payment' }).click();
    await page.getByText('is paid, and in your balance').waitFor();
    expect(await watched.findings()).toEqual([]);
  }

  /** The menu of a member of several accounts. */
  async function openOtherAccount({ page }: WatchedPage, from: string, to: string): Promise<void> {
    const menu = page.getByRole('combobox', { name: 'Account' });
    const opened = () => menu.locator('option:checked').textContent();
    expect(await opened()).toBe(`${from} (viewer)`);
    await menu.selectOption({ label: `${to} (viewer)` });
    await waitFor(async () => (await opened()) === `${to} (viewer)`, WITHIN);
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  }

  /** Runs the first job of the README, as a program of the customer would. */
  async function runReadme(key: string): Promise<string> {
    const [, script = ''] = /## A first job by hand\n+```sh\n(.*?)```/s.exec(await readFile('README.md', 'utf8')) ?? [];
    const { base_url: BASE } = await pages.stack.describe();
    const commands = script.replace(/^export .*$/m, '');
    const env = { ...process.env, BASE, KEY: key };
    return (await promisify(execFile)('sh', ['-ec', commands], { env })).stdout;
  }

  /** A colleague of both accounts, who was invited before. */
  const bob = 'bob@example.com';
  let joined = '';

  it.each(WIDTHS)('leads from the sign-up to a paid image and a colleague, at %i pixels', async (width) => {
    const ada = `ada${width}@example.com`;
    // The wide one is in the guide.
    const film = width === WIDTHS[1] ? new Film() : undefined;
    const watched = await WatchedPage.open(pages.browser, pages.origin, { width, ...(film && { film }) });
    const { page } = watched;
    await watched.visit('/', 'Sign in');
    expect(await watched.findings()).toEqual([]);
    expect(await page.content()).not.toContain('No key?');
    await page.getByRole('link', { name: 'Sign up' }).click();
    await page.getByRole('textbox', { name: 'E-mail' }).fill(ada);
    expect(await watched.findings()).toEqual([]);
    await page.getByRole('button', { name: 'Send the link' }).click();
    await page.getByRole('heading', { level: 1, name: 'Check your e-mail' }).waitFor();

    const link = await linkTo(ada);
    expect(link.startsWith(`${pages.origin}/welcome#token=`)).toBe(true);
    await page.goto(link);
    await page.getByRole('heading', { level: 1, name: 'Welcome' }).waitFor();
    expect(page.url()).not.toContain('token');
    await page.getByRole('textbox', { name: 'Name of the account' }).fill(`Ada ${width}`);
    await choosePassword(watched);
    expect(await watched.findings()).toEqual([]);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    await page.getByRole('region', { name: 'First steps' }).waitFor();
    expect(await watched.findings()).toEqual([]);

    await topUp(watched, '25', 'declined', 'second_step');
    await watched.visit('/playground', 'Playground');
    await page.getByRole('textbox', { name: 'Prompt' }).fill('a boat at dawn');
    await page.getByRole('button', { name: 'Generate' }).click();
    const image = page.getByRole('img', { name: 'a boat at dawn' });
    await waitFor(() => image.evaluate((it) => (it as unknown as { naturalWidth: number }).naturalWidth > 0));
    expect(await watched.findings()).toEqual([]);

    await watched.visit('/keys', 'Keys');
    await page.getByRole('button', { name: 'Create a key' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('first');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    const secret = (await page.getByLabel('API key', { exact: true }).textContent()) ?? '';
    expect(await watched.findings()).toEqual([]);
    await page.getByRole('button', { name: 'I have stored it' }).click();
    expect(await runReadme(secret)).toMatch(/"id":"[\w-]{36}"[^]*"status":"(queued|processing|succeeded)"/);
    await watched.visit('/jobs', 'Jobs');
    await waitFor(async () => (await page.getByRole('row').count()) > 2);
    expect(await watched.findings()).toEqual([]);

    await watched.visit('/members', 'Members');
    await page.getByRole('table', { name: 'Members' }).getByText(ada).waitFor();
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'E-mail' }).fill(bob);
    await dialog.getByRole('combobox', { name: 'Role' }).selectOption('viewer');
    expect(await watched.findings()).toEqual([]);
    await dialog.getByRole('button', { name: 'Invite', exact: true }).click();
    await page.getByRole('table', { name: 'Invitations' }).getByText(bob).waitFor();
    expect(await watched.findings()).toEqual([]);
    await watched.visit('/money', 'Money');
    await page.getByRole('region', { name: 'Billing details' }).getByRole('button', { name: 'Add' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Ada Ltd');
    await page.getByRole('textbox', { name: 'Address' }).fill('1 Main St\nLondon');
    await page.getByRole('textbox', { name: 'Tax id' }).fill('GB123456789');
    expect(await watched.findings()).toEqual([]);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Tax id GB123456789').waitFor();
    await page.getByRole('link', { name: 'Month', exact: true }).click();
    const row = (name: RegExp) => page.getByRole('table', { name: 'Statement' }).getByRole('row', { name });
    await row(/Payment \$25\.00/).waitFor();
    await row(/jobs? charged/).waitFor();
    await page.getByText('London').waitFor();
    expect(await watched.findings()).toEqual([]);
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('button', { name: 'Print' }).isVisible()).toBe(false);
    expect(await page.getByRole('link', { name: 'Playground' }).isVisible()).toBe(false);
    expect(await row(/Balance after/).isVisible()).toBe(true);
    await page.emulateMedia({ media: 'screen' });
    expect(watched.problems).toEqual([]);

    const colleague = await WatchedPage.open(pages.browser, pages.origin, { width });
    const isKnown = joined !== '';
    joined = await linkTo(bob, joined);
    await colleague.page.goto(joined);
    await colleague.page.getByRole('heading', { level: 1, name: 'Join an account' }).waitFor();
    if (isKnown) await colleague.page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    else await choosePassword(colleague);
    expect(await colleague.findings()).toEqual([]);
    await colleague.page.getByRole('button', { name: 'Join' }).click();
    await colleague.page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    if (isKnown) await openOtherAccount(colleague, `Ada ${width}`, `Ada ${WIDTHS[0]}`);
    await colleague.visit('/keys', 'Keys');
    await colleague.page.getByText('This needs a key with the scope account').waitFor();
    await colleague.visit('/members', 'Members');
    await colleague.page.getByRole('button', { name: `Leave as ${bob}` }).waitFor();
    expect(await colleague.page.getByRole('button', { name: 'Invite', exact: true }).count()).toBe(0);
    expect(colleague.problems).toEqual([]);
    await colleague.close();
    await watched.close();
    await film?.write('first-hour');
  });

  it('ends with a new password, by which the customer signs in', async () => {
    const watched = await pages.openSignedOut();
    const { page } = watched;
    const ada = `ada${WIDTHS[0]}@example.com`;
    await watched.visit('/forgot', 'Choose a new password');
    await page.getByRole('textbox', { name: 'E-mail' }).fill(ada);
    await page.getByRole('button', { name: 'Send the link' }).click();
    await page.getByRole('heading', { level: 1, name: 'Check your e-mail' }).waitFor();
    await waitFor(async () => (await linkTo(ada)).includes('/reset#'), WITHIN);
    await page.goto(await linkTo(ada));
    await choosePassword(watched);
    expect(await watched.findings()).toEqual([]);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    const again = await pages.openSignedOut();
    await again.visit('/', 'Sign in');
    await again.page.getByRole('textbox', { name: 'E-mail' }).fill(ada);
    await again.page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await again.page.getByRole('button', { name: 'Continue' }).click();
    await again.page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    expect(again.problems).toEqual([]);
    await again.close();
    await watched.close();
  });

  it('has nothing behind a used link', async () => {
    const watched = await pages.openSignedOut();
    await watched.page.goto(await linkTo(`ada${WIDTHS[0]}@example.com`));
    await watched.page.getByRole('heading', { level: 1, name: 'This link does not work' }).waitFor();
    expect(await watched.findings()).toEqual([]);
    await watched.close();
  });

  it('is followed by an operator, who gives a payment back and sees a dispute to its end', async () => {
    const width = WIDTHS[1];
    const customer = await WatchedPage.open(pages.browser, pages.origin, { width });
    await customer.visit('/', 'Sign in');
    await customer.page.getByRole('textbox', { name: 'E-mail' }).fill(`ada${width}@example.com`);
    await customer.page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await customer.page.getByRole('button', { name: 'Continue' }).click();
    await customer.page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    await topUp(customer, '10', 'dispute_won');

    const operator = await openAsOperator(pages);
    const { page } = operator;
    await operator.visit('/operator/accounts', 'Accounts');
    await page.getByRole('link', { name: `Ada ${width}` }).click();
    const payment = (amount: string) =>
      page.getByRole('table', { name: 'Payments of the account' }).getByRole('row').filter({ hasText: amount });
    await payment('$25.00').getByRole('button', { name: 'Refund' }).click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Amount (USD)' }).fill('5');
    expect(await operator.findings()).toEqual([]);
    await act(operator, 'Give it back', 'a kind gesture', 'The money is on its way back to the card.');
    await waitFor(async () => {
      await page.reload();
      await page.getByRole('table', { name: 'Payments of the account' }).waitFor();
      return (await payment('$10.00').getByText('dispute won').count()) > 0;
    }, WITHIN);
    await customer.visit('/money', 'Money');
    for (const text of ['$5.00 given back', 'disputed: won']) await customer.page.getByText(text).waitFor();
    expect([customer.problems, operator.problems]).toEqual([[], []]);
    await operator.close();
    await customer.close();
  });
});
