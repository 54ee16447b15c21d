import { type Browser, chromium } from 'playwright-core';
import { LocalStack, type LocalStackOptions } from '../support/local-stack';
import { type Act, type PageOptions, WatchedPage } from './watched-page';

const DEBIANS = '/usr/bin/chromium';

/** A local stack and a browser at its console. */
export class ConsolePages {
  private constructor(
    readonly stack: LocalStack,
    readonly browser: Browser,
    readonly origin: string,
    readonly apiKey: string,
    private options: PageOptions = {},
  ) {}

  static async start(options: LocalStackOptions = {}): Promise<ConsolePages> {
    const browser = await launchChromium();
    const stack = await LocalStack.start(options);
    const { console_url, api_key } = await stack.describe();
    return new ConsolePages(stack, browser, new URL(console_url).origin, api_key);
  }

  /** Pages that are signed in with the demo key. */
  static async ofCustomer(options: LocalStackOptions = {}): Promise<ConsolePages> {
    const pages = await ConsolePages.start(options);
    await pages.keepSession(await pages.signIn());
    return pages;
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.stack.stop();
  }

  /** Further pages have the session of this one, which is closed. */
  async keepSession(watched: WatchedPage): Promise<void> {
    this.options = { ...this.options, session: await watched.session() };
    await watched.close();
  }

  /** The same, with options for each new page. */
  with(options: PageOptions): ConsolePages {
    return new ConsolePages(this.stack, this.browser, this.origin, this.apiKey, { ...this.options, ...options });
  }

  open(options: PageOptions = {}): Promise<WatchedPage> {
    return WatchedPage.open(this.browser, this.origin, { ...this.options, ...options });
  }

  /** A new page without a session. */
  openSignedOut(options: PageOptions = {}): Promise<WatchedPage> {
    return WatchedPage.open(this.browser, this.origin, options);
  }

  /** Home, with a session of its own. */
  async signIn(): Promise<WatchedPage> {
    const watched = await this.openSignedOut();
    await watched.page.goto('/');
    await watched.signIn(this.apiKey);
    await watched.page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    return watched;
  }

  /** Acts on a new page of the session, which does nothing that no page may do. */
  async visit(path: string, heading: string, act: Act): Promise<void> {
    const watched = await this.open();
    await watched.visit(path, heading);
    await act(watched.page, watched);
    expect(watched.problems).toEqual([]);
    await watched.close();
  }

  /** As a visit, after which the page has no fault that can be found. */
  async inspect(path: string, heading: string, act?: Act): Promise<void> {
    const watched = await this.open();
    await watched.inspect(path, heading, act);
    await watched.close();
  }
}

/** One page for the tests of a block, which only open addresses: a new page takes 0.3 s of processor time. */
export function useOnePage(open: () => Promise<WatchedPage>): Pick<WatchedPage, 'inspect'> {
  let watched: WatchedPage;
  beforeAll(async () => {
    watched = await open();
  });
  afterAll(() => watched.close());
  return { inspect: (path, heading, act) => watched.inspect(path, heading, act) };
}

/** Starts the installed Chromium; a browser is no package of npm. `npm run test:console` looks for one and sets CHROMIUM_PATH. */
async function launchChromium(): Promise<Browser> {
  // Containers mostly allow no user namespaces, and give little shared memory. The tests open pages of our own only.
  return chromium.launch({
    executablePath: process.env.CHROMIUM_PATH || DEBIANS,
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  });
}
