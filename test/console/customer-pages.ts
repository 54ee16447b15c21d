import type { Browser } from 'playwright-core';
import { LocalStack } from '../support/local-stack';
import { launchChromium } from '../support/chromium';
import { type PageOptions, WatchedPage } from './watched-page';

/** A local stack and a browser that is signed in to its console with the demo key. */
export class CustomerPages {
  private constructor(
    readonly stack: LocalStack,
    readonly browser: Browser,
    readonly origin: string,
    readonly apiKey: string,
    private readonly session: PageOptions['session'],
  ) {}

  static async start(env: NodeJS.ProcessEnv = {}): Promise<CustomerPages> {
    const browser = await launchChromium();
    const stack = await LocalStack.start({ env });
    const { console_url, api_key } = await stack.describe();
    const { origin } = new URL(console_url);
    const watched = await CustomerPages.signIn(browser, origin, api_key);
    const session = await watched.session();
    await watched.close();
    return new CustomerPages(stack, browser, origin, api_key, session);
  }

  private static async signIn(browser: Browser, origin: string, apiKey: string): Promise<WatchedPage> {
    const watched = await WatchedPage.open(browser, origin);
    const { page } = watched;
    await page.goto('/');
    await page.getByRole('textbox', { name: 'API key' }).fill(apiKey);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    return watched;
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.stack.stop();
  }

  /** A new page of the session. */
  open(options: PageOptions = {}): Promise<WatchedPage> {
    return WatchedPage.open(this.browser, this.origin, { ...(this.session && { session: this.session }), ...options });
  }

  /** A new page without a session. */
  openSignedOut(): Promise<WatchedPage> {
    return WatchedPage.open(this.browser, this.origin);
  }

  /** Home in another browser, with a session of its own. */
  signInAgain(): Promise<WatchedPage> {
    return CustomerPages.signIn(this.browser, this.origin, this.apiKey);
  }
}
