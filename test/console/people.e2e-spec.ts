import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { waitFor } from '@kinora/testing';
import { ConsolePages } from './console-pages';
import { WatchedPage, WIDTHS } from './watched-page';

const WITHIN = { timeoutMs: 30_000 };
const PASSWORD = 'correct horse battery staple';

describe('people', () => {
  let pages: ConsolePages;
  const secrets = new Map<string, string>();

  beforeAll(async () => {
    pages = await ConsolePages.start();
  });
  afterAll(() => pages?.close());

  /** The link of the latest e-mail to the address, as the local stack writes it to a file. */
  async function linkTo(email: string): Promise<string> {
    const folder = path.join(pages.stack.dataDir, 'mail');
    let found: string | undefined;
    await waitFor(async () => {
      const files = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.eml')).toSorted();
      const texts = await Promise.all(files.map((name) => readFile(path.join(folder, name), 'utf8')));
      const [text = ''] = texts.filter((each) => each.includes(`To: ${email}\r\n`)).slice(-1);
      found = /^https?:\/\/\S+#token=[\w-]+/m.exec(text.replaceAll('=\r\n', '').replaceAll('=3D', '='))?.[0];
      return found !== undefined;
    }, WITHIN);
    return found ?? '';
  }

  async function choosePassword({ page }: WatchedPage): Promise<void> {
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByLabel('Once more').fill(PASSWORD);
  }

  it.each(WIDTHS)('sign up, make a key and invite a colleague, at %i pixels', async (width) => {
    const [ada, bob] = [`ada${width}@example.com`, `bob${width}@example.com`];
    const watched = await WatchedPage.open(pages.browser, pages.origin, { width });
    const { page } = watched;
    await watched.visit('/', 'Sign in');
    expect(await watched.findings()).toEqual([]);
    expect(await page.content()).not.toContain('No key?');
    await page.getByRole('link', { name: 'Sign up' }).click();
    await page.getByRole('textbox', { name: 'E-mail' }).fill(ada);
    expect(await watched.findings()).toEqual([]);
    await page.getByRole('button', { name: 'Send the link' }).click();
    await page.getByRole('heading', { level: 1, name: 'Look into your mailbox' }).waitFor();

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

    await watched.visit('/keys', 'Keys');
    await page.getByRole('button', { name: 'Create a key' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('first');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    secrets.set(ada, (await page.getByLabel('API key', { exact: true }).textContent()) ?? '');
    await page.getByRole('button', { name: 'I have stored it' }).click();

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
    expect(watched.problems).toEqual([]);

    const colleague = await WatchedPage.open(pages.browser, pages.origin, { width });
    await colleague.page.goto(await linkTo(bob));
    await colleague.page.getByRole('heading', { level: 1, name: 'Join an account' }).waitFor();
    await choosePassword(colleague);
    expect(await colleague.findings()).toEqual([]);
    await colleague.page.getByRole('button', { name: 'Join' }).click();
    await colleague.page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    await colleague.visit('/keys', 'Keys');
    await colleague.page.getByText('This needs a key with the scope account').waitFor();
    await colleague.visit('/members', 'Members');
    await colleague.page.getByRole('button', { name: `Leave as ${bob}` }).waitFor();
    expect(await colleague.page.getByRole('button', { name: 'Invite', exact: true }).count()).toBe(0);
    expect(colleague.problems).toEqual([]);
    await colleague.close();
    await watched.close();
  });

  it('use the key that they made', async () => {
    const [secret = ''] = secrets.values();
    const answer = await pages.stack.call('/account', { headers: { authorization: `Bearer ${secret}` } });
    expect(answer.status).toBe(200);
  });

  it('choose a new password, and sign in with it', async () => {
    const watched = await pages.openSignedOut();
    const { page } = watched;
    const ada = `ada${WIDTHS[0]}@example.com`;
    await watched.visit('/forgot', 'Choose a new password');
    await page.getByRole('textbox', { name: 'E-mail' }).fill(ada);
    await page.getByRole('button', { name: 'Send the link' }).click();
    await page.getByRole('heading', { level: 1, name: 'Look into your mailbox' }).waitFor();
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

  it('find nothing behind a used link', async () => {
    const watched = await pages.openSignedOut();
    await watched.page.goto(await linkTo(`ada${WIDTHS[0]}@example.com`));
    await watched.page.getByRole('heading', { level: 1, name: 'This link does not work' }).waitFor();
    expect(await watched.findings()).toEqual([]);
    await watched.close();
  });
});
