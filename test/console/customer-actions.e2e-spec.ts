import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { HttpsReceiver, RECEIVER_AUTHORITY_FILE, waitFor } from '@kinora/testing';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { exhaustDelivery } from '../../deploy/local/seed/exhaust-delivery';
import { LocalStack } from '../support/local-stack';
import { rechargeAutomatically } from '../support/operator';
import { launchChromium } from './chromium';
import { type PageOptions, WatchedPage, WIDTHS } from './watched-page';

const CLI = path.resolve('dist/apps/cli/src/main.js');
const WITHIN = { timeoutMs: 60_000 };
const PRESSES_MAX = 60;
/** Small and quick, so that four of them run side by side on a busy machine. */
const CATALOG = `models:
  - id: ink
    type: image
    label: Ink
    capabilities: { t2i: true, sizes: [256x256], max_n: 2, max_refs: 0, sandbox: true }
    price: { micros: 1000, per: image }
    routes: [{ provider: sandbox }]
  - id: wash
    type: image
    label: Wash
    capabilities: { t2i: true, sizes: [256x256], max_n: 2, max_refs: 0, sandbox: true }
    price: { micros: 2000, per: image }
    routes: [{ provider: sandbox }]
  - id: clip
    type: video
    label: Clip
    capabilities: { i2v: true, durations: [1], fps: 8, max_refs: 1, sandbox: true }
    price: { micros: 3000, per: second }
    output_frame: { max_pixels: 36864, side_multiple: 16 }
    routes: [{ provider: sandbox }]
`;

describe("what customers do on the console's pages", () => {
  let stack: LocalStack;
  let receiver: HttpsReceiver;
  let browser: Browser;
  let configDir: string;
  let origin: string;
  let session: PageOptions['session'];
  let image: { name: string; mimeType: string; buffer: Buffer };

  beforeAll(async () => {
    configDir = await mkdtemp(path.join(os.tmpdir(), 'kinora-console-'));
    await writeFile(path.join(configDir, 'catalog.yaml'), CATALOG);
    const pixels = { width: 128, height: 96, channels: 3 as const, background: '#2f6f9f' };
    const buffer = await sharp({ create: pixels }).png().toBuffer();
    image = { name: 'lake.png', mimeType: 'image/png', buffer };
    receiver = await HttpsReceiver.start();
    browser = await launchChromium();
    const egress = {
      KINORA_EGRESS_ALLOW: `127.0.0.1:${receiver.port}`,
      NODE_EXTRA_CA_CERTS: RECEIVER_AUTHORITY_FILE,
    };
    stack = await LocalStack.start({ env: { KINORA_CONFIG_DIR: configDir, ...egress } });
    origin = new URL((await stack.describe()).console_url).origin;
  });

  afterAll(async () => {
    await browser?.close();
    await stack?.stop();
    await receiver?.close();
    await rm(configDir, { recursive: true, force: true });
  });

  const open = (options: PageOptions = {}) =>
    WatchedPage.open(browser, origin, { ...(session && { session }), ...options });
  const receiverUrl = () => `https://127.0.0.1:${receiver.port}/hooks`;
  const endWith = (status: number, body = '') =>
    (receiver.answer = (_request, response) => response.writeHead(status).end(body));

  async function createJob(parts: object = {}): Promise<string> {
    const body = JSON.stringify({ prompt: 'a red fox', model: 'ink', ...parts });
    const created = await stack.call('/images/generations', { method: 'POST', body });
    const { id } = (await created.json()) as { id: string };
    await waitFor(async () => {
      const job = (await (await stack.call(`/jobs/${id}`)).json()) as { status: string };
      return ['succeeded', 'failed'].includes(job.status);
    }, WITHIN);
    return id;
  }

  it('sign in, make an image and rotate a key without a mouse', async () => {
    const watched = await open();
    const { page } = watched;
    await page.goto('/');
    await page.getByRole('textbox', { name: 'API key' }).waitFor();
    await page.keyboard.type((await stack.describe()).api_key);
    await tabTo(page, 'Sign in');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    expect(await focused(page)).toBe('Home');
    session = await watched.session();

    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    await tabTo(page, 'Skip to content');
    await tabTo(page, 'Playground');
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'Prompt' }).waitFor();
    expect(await focused(page)).toBe('Playground');
    await tabTo(page, 'Prompt');
    await page.keyboard.type('a boat at dawn');
    await tabTo(page, 'Model');
    await page.keyboard.type('Ink');
    await page.getByRole('status', { name: 'Price' }).getByText('$0.001', { exact: true }).waitFor();
    await tabTo(page, 'Generate');
    await page.keyboard.press('Enter');
    await page.getByRole('img', { name: 'a boat at dawn' }).waitFor();

    await watched.visit('/keys', 'Keys');
    await page.getByText('this session').waitFor();
    await tabTo(page, 'Rotate default');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Rotate default' }).waitFor();
    expect(await watched.findings()).toEqual([]);
    await tabTo(page, 'Make a new secret');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'The key has a new secret' }).waitFor();
    await tabTo(page, 'I have stored it');
    await page.keyboard.press('Enter');
    await waitFor(async () => (await focused(page)) === 'Rotate default', WITHIN);
    expect(watched.problems).toEqual([]);
    await watched.close();
  });

  it('compare four models for the sum of their prices', async () => {
    const watched = await open();
    const { page } = watched;
    await watched.visit('/playground', 'Playground');
    await page.getByRole('textbox', { name: 'Prompt' }).fill('an old library');
    await page.getByRole('combobox', { name: 'Model' }).selectOption('ink');
    const chosen = ['general-image', 'fast-image', 'wash'];
    for (const [index, model] of chosen.entries()) {
      await page.getByRole('button', { name: 'Compare side by side' }).click();
      await page.getByRole('combobox', { name: `Compare with (${index + 2})` }).selectOption(model);
    }
    expect(await page.getByRole('button', { name: 'Compare side by side' }).count()).toBe(0);
    const price = page.getByRole('status', { name: 'Price' });
    await price.getByText('$0.028', { exact: true }).waitFor();
    await price.getByText('4 models').waitFor();
    await page.getByRole('button', { name: 'Leave out general-image' }).click();
    await price.getByText('$0.008', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Generate' }).click();
    const images = page.getByRole('img', { name: 'an old library' });
    await waitFor(async () => (await images.count()) === 3, WITHIN);
    expect(await watched.findings()).toEqual([]);
    expect(watched.problems).toEqual([]);
    await watched.close();
  });

  it('edit an image of their own, and see the request without it', async () => {
    const watched = await open();
    const { page } = watched;
    await watched.visit('/playground', 'Playground');
    await page.getByRole('radio', { name: 'Edit' }).check();
    await page.getByText('Choose an image first.').waitFor();
    await page.getByLabel('Images to edit').setInputFiles({ ...image, mimeType: 'text/plain', name: 'notes.txt' });
    await page.getByRole('alert').filter({ hasText: 'notes.txt' }).waitFor();
    await page.getByLabel('Images to edit').setInputFiles(image);
    await page.getByRole('button', { name: 'Remove lake.png' }).waitFor();
    await page.getByRole('textbox', { name: 'Prompt' }).fill('make it night');
    await page.getByRole('status', { name: 'Price' }).getByText('$0.03', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Generate' }).click();
    await page.getByRole('img', { name: 'make it night' }).waitFor();
    await page.getByRole('tab', { name: 'curl' }).click();
    await page.getByRole('tabpanel').getByText('data:image/png;base64,…').waitFor();
    await page
      .getByRole('tabpanel')
      .getByText(`${(await stack.describe()).base_url}/images/edits`)
      .waitFor();
    expect(await watched.findings()).toEqual([]);
    expect(watched.problems).toEqual([]);
    await watched.close();
  });

  it('animate an image', async () => {
    const watched = await open();
    const { page } = watched;
    await watched.visit('/playground', 'Playground');
    await page.getByRole('radio', { name: 'Video' }).check();
    await page.getByLabel('Start frame').setInputFiles(image);
    await page.getByRole('textbox', { name: 'Prompt' }).fill('slowly forward');
    await page.getByRole('combobox', { name: 'Model' }).selectOption('clip');
    await page.getByRole('combobox', { name: 'Seconds' }).selectOption('1');
    await page.getByRole('status', { name: 'Price' }).getByText('$0.003', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Generate' }).click();
    const video = page.getByLabel('slowly forward');
    await waitFor(
      async () => (await video.count()) === 1 && (await video.evaluate<number>('(video) => video.duration')) > 0,
      WITHIN,
    );
    expect(await watched.findings()).toEqual([]);
    expect(watched.problems).toEqual([]);
    await watched.close();
  });

  it('follow a job to its webhook, run it again, and delete its files', async () => {
    endWith(200);
    const id = await createJob({ webhook_url: receiverUrl() });
    const watched = await open();
    const { page } = watched;
    await watched.visit(`/jobs/${id}`, 'Image');
    const timeline = page.getByRole('region', { name: 'Timeline' });
    await timeline.getByText('Webhook delivered').waitFor();
    await timeline.getByText('Charged').waitFor();
    expect(await timeline.locator('strong').allTextContents()).toEqual([
      ...['Queued', 'Moderation of the input passed', 'Started', 'Moderation of the output passed'],
      ...['Succeeded', 'Charged', 'Webhook delivered'],
    ]);
    await page.getByRole('region', { name: 'Receipt' }).getByText('1 image at $0.001').waitFor();

    await page.getByRole('link', { name: 'Run again' }).click();
    await waitFor(
      async () => (await page.getByRole('textbox', { name: 'Prompt' }).inputValue()) === 'a red fox',
      WITHIN,
    );
    expect(await page.getByRole('combobox', { name: 'Model' }).inputValue()).toBe('ink');
    await page.goBack();
    await page.getByRole('button', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete what the job holds' });
    await dialog.waitFor();
    expect(await watched.findings()).toEqual([]);
    await dialog.getByRole('button', { name: 'Delete for good' }).click();
    await page.getByText('The files are deleted', { exact: true }).waitFor();
    expect(watched.problems).toEqual([]);
    await watched.close();
  });

  it('send a test event, see why it failed, and send it again', async () => {
    endWith(503, 'closed until noon');
    const watched = await open();
    const { page } = watched;
    await watched.visit('/webhooks', 'Webhooks');
    await page.getByRole('button', { name: 'Send a test' }).click();
    const dialog = page.getByRole('dialog', { name: 'Send a test event' });
    await dialog.getByRole('textbox', { name: 'Address of the receiver' }).fill('http://127.0.0.1/');
    await dialog.getByRole('button', { name: 'Send' }).click();
    await dialog.getByRole('alert').waitFor();
    expect(await watched.findings()).toEqual([]);
    await dialog.getByRole('textbox', { name: 'Address of the receiver' }).fill(receiverUrl());
    await dialog.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('heading', { level: 1, name: 'Delivery' }).waitFor();
    await page.getByText('closed until noon').waitFor();
    endWith(200);
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.getByText('Repeats').waitFor();
    await page.getByRole('definition').getByText('delivered', { exact: true }).waitFor();
    // The console of a browser names the refused address itself.
    expect(watched.problems.filter((problem) => !problem.includes('400 (Bad Request)'))).toEqual([]);
    await watched.close();
  });

  it.each(WIDTHS)('read a delivery whose pages have no fault that can be found, at %i px', async (width) => {
    const watched = await open({ width });
    const { page } = watched;
    await watched.visit('/webhooks', 'Webhooks');
    // The oldest one is of a job, the newer ones are of test events.
    await page.getByRole('link', { name: 'job.succeeded' }).last().click();
    await page.getByRole('heading', { level: 2, name: 'Payload' }).waitFor();
    await page.getByText('Attempt 1', { exact: true }).waitFor();
    expect(await watched.findings()).toEqual([]);
    expect(watched.problems).toEqual([]);
    await watched.close();
  });

  it('recover what a receiver missed, once', async () => {
    endWith(500);
    const id = await createJob({ webhook_url: receiverUrl() });
    await exhaustDelivery((await stack.describe()).database_url, id, WITHIN.timeoutMs);
    endWith(200);
    const watched = await open();
    const { page } = watched;
    await watched.visit('/', 'Home');
    await page.getByRole('link', { name: '1 failed' }).click();
    await page.getByRole('button', { name: 'Recover failed' }).click();
    const dialog = page.getByRole('dialog', { name: 'Send failed deliveries again' });
    await dialog.getByRole('combobox', { name: 'Failed in' }).selectOption('1');
    await dialog.getByRole('button', { name: 'Send again' }).click();
    await page.getByText('1 sent again.').waitFor();
    await page.getByRole('button', { name: 'Recover failed' }).click();
    await dialog.getByRole('button', { name: 'Send again' }).click();
    await page.getByText('No delivery failed in that time.').waitFor();
    expect(watched.problems).toEqual([]);
    await watched.close();
  });

  it('make a new webhook secret, shown once', async () => {
    const watched = await open();
    const { page } = watched;
    await watched.visit('/webhooks', 'Webhooks');
    await page.getByRole('button', { name: 'Make a new secret' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'The old secret ends' }).selectOption('3600');
    await dialog.getByRole('button', { name: 'Make a new secret' }).click();
    const secret = await page.getByLabel('webhook secret', { exact: true }).textContent();
    expect(secret).toMatch(/^whsec_/);
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await waitFor(async () => !(await page.content()).includes(String(secret)), WITHIN);
    expect(watched.problems).toEqual([]);
    await watched.close();
  });

  it('see what a key has spent of its budget, and which key sent a request', async () => {
    const watched = await open();
    const { page } = watched;
    await watched.visit('/keys', 'Keys');
    await page.getByRole('button', { name: 'Create a key' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('web shop');
    await page.getByRole('textbox', { name: 'Budget in dollars' }).fill('5');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    const secret = await page.getByLabel('API key', { exact: true }).textContent();
    const authorization = `Bearer ${secret}`;
    const body = JSON.stringify({ prompt: 'a lake', model: 'wash' });
    await stack.call('/images/generations', { method: 'POST', body, headers: { authorization } });
    await watched.visit('/usage?by=key', 'Usage');
    await page.getByText('$0.002 of $5.00 a month').waitFor();
    await page.getByText('$4.998').waitFor();
    await page.getByRole('img', { name: 'Spend by key' }).waitFor();
    const file = page.waitForEvent('download');
    await page.getByRole('link', { name: 'CSV' }).click();
    expect((await file).suggestedFilename()).toBe('usage-by-key.csv');
    await watched.visit('/requests', 'Requests');
    await page.getByRole('combobox', { name: 'Key' }).selectOption('web shop');
    await page.getByRole('cell', { name: 'POST /v1/images/generations' }).waitFor();
    await page.getByRole('cell', { name: 'web shop' }).waitFor();
    expect(watched.problems).toEqual([]);
    await watched.close();
  });

  it('change the auto-recharge of the card that the operator has added', async () => {
    const { account_id } = await stack.describe();
    const rule = { threshold_micros: 1_000_000, amount_micros: 5_000_000 };
    await rechargeAutomatically(stack, { account_id, ...rule });
    const watched = await open();
    const { page } = watched;
    await watched.visit('/money', 'Money');
    await page.getByRole('button', { name: 'Change' }).click();
    const dialog = page.getByRole('dialog', { name: 'Auto-recharge' });
    await dialog.getByRole('textbox', { name: 'When less than, in dollars' }).fill('two');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByRole('alert').filter({ hasText: 'Write an amount' }).waitFor();
    expect(await watched.findings()).toEqual([]);
    await dialog.getByRole('textbox', { name: 'When less than, in dollars' }).fill('2.50');
    await dialog.getByRole('textbox', { name: 'Charge, in dollars' }).fill('20');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('$20.00 when less than $2.50 is left').waitFor();
    expect(watched.problems).toEqual([]);
    await watched.close();
  });

  it('come in by a link that works once, and see what a lesser session may do', async () => {
    const { account_id } = await stack.describe();
    const args = [CLI, 'account', 'portal-link', account_id, '--capabilities', 'read,jobs', '--json'];
    const env = { ...process.env, KINORA_DATA_DIR: stack.dataDir };
    const { url } = JSON.parse((await promisify(execFile)(process.execPath, args, { env })).stdout) as { url: string };
    const watched = await WatchedPage.open(browser, origin);
    const { page } = watched;
    await page.goto(url);
    await page.getByRole('button', { name: 'Continue' }).waitFor();
    expect(page.url()).toBe(`${origin}/portal`);
    expect(await watched.findings()).toEqual([]);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    for (const [address, heading] of [
      ['/keys', 'Keys'],
      ['/webhooks', 'Webhooks'],
      ['/money', 'Money'],
      ['/usage?by=key', 'Usage'],
      ['/requests', 'Requests'],
    ] as const) {
      await watched.visit(address, heading);
      if (address !== '/requests') await page.getByText('This needs a key with the scope account').waitFor();
    }
    expect(watched.problems).toEqual([]);
    await watched.close();

    const late = await WatchedPage.open(browser, origin);
    await late.page.goto(url);
    await late.page.getByRole('button', { name: 'Continue' }).click();
    await late.page.getByRole('alert').waitFor();
    await late.close();
  });

  it('end the session of another browser', async () => {
    const other = await WatchedPage.open(browser, origin);
    await other.page.goto('/');
    await other.page.getByRole('textbox', { name: 'API key' }).fill((await stack.describe()).api_key);
    await other.page.getByRole('button', { name: 'Sign in' }).click();
    await other.page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    const watched = await open();
    const { page } = watched;
    await watched.visit('/keys', 'Keys');
    // The newest session is the first one.
    await page
      .getByRole('button', { name: /^End the session/ })
      .first()
      .click();
    await page.getByText('The session has ended.').waitFor();
    await other.page.getByRole('link', { name: 'Jobs' }).click();
    await other.page.getByRole('textbox', { name: 'API key' }).waitFor();
    expect(watched.problems).toEqual([]);
    await watched.close();
    await other.close();
  });
});

/** What has the focus, by its name. */
const focused = (page: Page) =>
  page.evaluate<string>(`(() => {
    const element = document.activeElement;
    return element.ariaLabel ?? element.labels?.[0]?.textContent ?? element.textContent.trim();
  })()`);

/** Presses Tab until the element of this name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < PRESSES_MAX; presses += 1) {
    await page.keyboard.press('Tab');
    if ((await focused(page)) === name) return;
  }
  throw new Error(`Tab does not reach "${name}".`);
}
