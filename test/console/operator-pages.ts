import { waitFor } from '@kinora/testing';
import type { ConsolePages } from './console-pages';
import type { Film, WatchedPage } from './watched-page';

export const PASSWORD = 'correct horse battery staple';

/** Makes the first operator, by the link of the first start, and signs in. */
export async function openAsOperator(pages: ConsolePages, film?: Film): Promise<WatchedPage> {
  const { console_setup_url: link } = await pages.stack.describe();
  const watched = await pages.openSignedOut({ ...(film && { film }) });
  const { page } = watched;
  expect(link).toMatch(/\/operator\/setup#token=[0-9a-f]{64}$/);
  await page.goto(String(link));
  await page.getByRole('textbox', { name: 'E-mail' }).fill('ada@example.com');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Repeat the password').fill(PASSWORD);
  expect(await watched.findings()).toEqual([]);
  expect(page.url()).not.toContain('token');
  await page.getByRole('button', { name: 'Create the operator' }).click();
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  expect(watched.problems).toEqual([]);
  return watched;
}

/** The same; all further pages have its session. */
export async function setUpOperator(pages: ConsolePages, film?: Film): Promise<void> {
  await pages.keepSession(await openAsOperator(pages, film));
}

/** Fills in the reason, sends the form, and repeats the password where it is asked for. */
export async function act({ page, problems }: WatchedPage, button: string, reason: string, done: string) {
  await page.getByRole('textbox', { name: 'Reason' }).fill(reason);
  await page.getByRole('dialog').getByRole('button', { name: button, exact: true }).click();
  const password = page.getByRole('dialog', { name: 'Confirm your password' });
  const message = page.getByText(done);
  await waitFor(async () => (await password.count()) + (await message.count()) > 0);
  if ((await password.count()) > 0) {
    // How the browser reports the refusal that asks for the password.
    expect(problems.splice(0)).toEqual([expect.stringContaining('status of 403')]);
    await password.getByLabel('Password').fill(PASSWORD);
    await password.getByRole('button', { name: 'Confirm' }).click();
  }
  await message.first().waitFor();
}
