import { randomBytes } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import type { Browser, BrowserAnswer } from './browser.fixtures';
import type { ConsoleTestBed } from './console.fixtures';
import { OperatorUserRepository } from '../src/operator/users/operator-user.repository';
import { hashPassword } from '../src/session/password';
import type { Role } from '../src/operator/users/permissions';

export const PASSWORD = 'correct horse battery';

/** An operator of this role with `PASSWORD`. @returns the email */
export async function addOperator(bed: ConsoleTestBed, role: Role): Promise<string> {
  const email = `${role}-${randomBytes(4).toString('hex')}@kinora.test`;
  const password = await hashPassword(PASSWORD, bed.passwordCost);
  const user = { id: uuidv7(), email, role, password, subject: null, created_by: null };
  await bed.app.get(OperatorUserRepository, { strict: false }).insert(user);
  return email;
}

/** Signs in, and keeps the token of the session. */
export async function signIn(browser: Browser, email: string, password = PASSWORD): Promise<BrowserAnswer> {
  return keepToken(browser, await browser.post('/admin/v1/operator/session', { email, password }));
}

/** Repeats the password. */
export async function confirm(browser: Browser, password = PASSWORD): Promise<BrowserAnswer> {
  return keepToken(browser, await browser.post('/admin/v1/operator/session/confirm', { password }));
}

export function keepToken(browser: Browser, answer: BrowserAnswer): BrowserAnswer {
  if (answer.status === 200) browser.csrfToken = answer.json<{ csrf_token: string }>().csrf_token;
  return answer;
}

/** A browser that is signed in as a new operator of the role. */
export async function operatorBrowser(bed: ConsoleTestBed, role: Role): Promise<{ browser: Browser; email: string }> {
  const [browser, email] = [bed.browser(), await addOperator(bed, role)];
  const { status } = await signIn(browser, email);
  if (status !== 200) throw new Error(`The sign-in was answered ${status}.`);
  return { browser, email };
}
