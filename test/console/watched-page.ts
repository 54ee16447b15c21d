import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import axe, { type AxeResults } from 'axe-core';
import { waitFor } from '@kinora/testing';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import sharp from 'sharp';

export const WIDTHS = [390, 1440] as const;
const HEIGHT = 900;

/** Programs of the browser are texts: the types of a browser are none of a server's. */
const REPORT_VIOLATIONS = `document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
  reportViolation(violatedDirective + ' ' + blockedURI));`;

/** All that axe-core returns would take 0.1 s of processor time to send. */
const FIND_VIOLATIONS = `axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations)`;

type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>;

export type Act = (page: Page, watched: WatchedPage) => Promise<void>;

export interface PageOptions {
  width?: number;
  colorScheme?: 'light' | 'dark';
  session?: StorageState;
  /** Gets what the page shows wherever it is inspected. */
  film?: Film;
}

/** A page of the console that records everything that no page may do. */
export class WatchedPage {
  readonly problems: string[] = [];

  private constructor(
    readonly page: Page,
    private readonly context: BrowserContext,
    private readonly film?: Film,
  ) {}

  static async open(browser: Browser, origin: string, options: PageOptions = {}): Promise<WatchedPage> {
    const { width = 1440, colorScheme = 'light', session, film } = options;
    const context = await browser.newContext({
      baseURL: origin,
      viewport: { width, height: HEIGHT },
      colorScheme,
      reducedMotion: 'reduce',
      ...(session && { storageState: session }),
    });
    context.setDefaultTimeout(60_000);
    const page = await context.newPage();
    const watched = new WatchedPage(page, context, film);
    await watched.watch(origin);
    return watched;
  }

  session(): Promise<StorageState> {
    return this.context.storageState();
  }

  close(): Promise<void> {
    return this.context.close();
  }

  /** Opens a page of the application, until its heading and its data are there. */
  async visit(path: string, heading: string): Promise<void> {
    await this.page.goto(path);
    await this.page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
    await waitFor(() => this.page.evaluate<boolean>("document.querySelector('[role=status] > span + span') === null"));
  }

  /** As a visit, after which the page has no fault that can be found, and has done nothing that no page may do. */
  async inspect(path: string, heading: string, act?: Act): Promise<void> {
    await this.visit(path, heading);
    await act?.(this.page, this);
    expect(await this.findings()).toEqual([]);
    expect(this.problems.splice(0)).toEqual([]);
  }

  async signIn(apiKey: string): Promise<void> {
    await this.page.getByRole('textbox', { name: 'API key' }).fill(apiKey);
    await this.page.getByRole('button', { name: 'Sign in' }).click();
  }

  /** What axe-core finds, and content that is wider than the screen. */
  async findings(): Promise<string[]> {
    await this.film?.shoot(this.page);
    const violations = await this.page.evaluate<AxeResults['violations']>(FIND_VIOLATIONS);
    const excess = await this.page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth');
    return [
      ...violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`),
      ...(excess > 0 ? [`the page is ${excess} px wider than the screen`] : []),
    ];
  }

  private async watch(origin: string): Promise<void> {
    const { page, problems } = this;
    // Scripts of the test run before the page's policy applies.
    await page.addInitScript({ content: axe.source });
    await page.exposeFunction('reportViolation', (text: string) => problems.push(`policy: ${text}`));
    await page.addInitScript({ content: REPORT_VIOLATIONS });
    page.on('pageerror', (error) => problems.push(`error: ${error.message}`));
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') problems.push(`console: ${message.text()}`);
    });
    page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(`${origin}/`) && !url.startsWith('blob:')) problems.push(`request: ${url}`);
    });
  }
}

const PRESSES_MAX = 60;

/** What has the focus, by its name. */
export const focused = (page: Page) =>
  page.evaluate<string>(`(() => {
    const element = document.activeElement;
    return element.ariaLabel ?? element.labels?.[0]?.textContent ?? element.textContent.trim();
  })()`);

/** Presses Tab until the element of this name has the focus. */
export async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < PRESSES_MAX; presses += 1) {
    await page.keyboard.press('Tab');
    if ((await focused(page)) === name) return;
  }
  throw new Error(`Tab does not reach "${name}".`);
}

const FOLDER = path.resolve('docs/console');
const COLOURS = 128;

/** The run is asked for the images of the guide. */
const writesGuide = process.env.GUIDE_IMAGES === '1';

export async function writeGuideImage(page: Page, name: string): Promise<void> {
  if (!writesGuide) return;
  // The test has scrolled to what it clicked last.
  await page.evaluate('scrollTo(0, 0)');
  await mkdir(FOLDER, { recursive: true });
  const png = await sharp(await page.screenshot())
    .png({ palette: true, colours: COLOURS, effort: 10 })
    .toBuffer();
  await writeFile(path.join(FOLDER, `${name}.png`), png);
}

const FRAME = { width: 960, ms: 2_000 };
const FILM_MAX_BYTES = 1_000_000;

/** A film of the guide: what the pages of a test showed, one after the other. */
export class Film {
  private readonly frames: Buffer[] = [];

  async shoot(page: Page): Promise<void> {
    if (writesGuide)
      this.frames.push(
        await sharp(await page.screenshot())
          .resize(FRAME.width)
          .png()
          .toBuffer(),
      );
  }

  async write(name: string): Promise<void> {
    if (!writesGuide) return;
    const webp = await sharp(this.frames, { join: { animated: true } })
      .webp({ delay: this.frames.map(() => FRAME.ms), loop: 0, quality: 90, effort: 4 })
      .toBuffer();
    expect(webp.length).toBeLessThanOrEqual(FILM_MAX_BYTES);
    await writeFile(path.join(FOLDER, `${name}.webp`), webp);
  }
}
