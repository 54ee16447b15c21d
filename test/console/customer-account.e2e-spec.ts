import { HttpsReceiver, RECEIVER_AUTHORITY_FILE, waitFor } from '@kinora/testing';
import { rechargeAutomatically } from '../support/operator';
import { archiveMonth } from './archived-month';
import { ConsolePages } from './console-pages';
import { tabTo, WIDTHS } from './watched-page';

const WITHIN = { timeoutMs: 60_000 };
const utcDay = () => new Date().toISOString().slice(0, 10);
/** A transition of the layout is still running at one reading of three. */
const RESIZES = 20;
const MAKE_DUE = `
  UPDATE webhook_dispatcher.delivery SET next_attempt_at = clock_timestamp()
  WHERE job_id = $1 AND status = 'pending' AND next_attempt_at > clock_timestamp() + interval '45 seconds'`;
const FIND_EXHAUSTED = `SELECT FROM webhook_dispatcher.delivery WHERE job_id = $1 AND status = 'exhausted'`;

describe('customers, on the pages of their account', () => {
  let pages: ConsolePages;
  let receiver: HttpsReceiver;

  beforeAll(async () => {
    receiver = await HttpsReceiver.start();
    const KINORA_EGRESS_ALLOW = `127.0.0.1:${receiver.port}`;
    const env = { KINORA_EGRESS_ALLOW, NODE_EXTRA_CA_CERTS: RECEIVER_AUTHORITY_FILE };
    pages = await ConsolePages.ofCustomer({ env });
  });

  afterAll(async () => {
    await pages?.close();
    await receiver?.close();
  });

  const receiverUrl = () => `https://127.0.0.1:${receiver.port}/hooks`;
  const endWith = (status: number, body = '') =>
    (receiver.answer = (_request, response) => response.writeHead(status).end(body));

  async function createJob(parts: object = {}): Promise<string> {
    const body = JSON.stringify({ prompt: 'a red fox', model: 'fast-image', ...parts });
    const created = await pages.stack.call('/images/generations', { method: 'POST', body });
    const { id } = (await created.json()) as { id: string };
    await waitFor(async () => {
      const job = (await (await pages.stack.call(`/jobs/${id}`)).json()) as { status: string };
      return ['succeeded', 'failed'].includes(job.status);
    }, WITHIN);
    return id;
  }

  /** Its own schedule takes 8 h 36 min. The lease of a running attempt is shorter than any pause, so that attempt stays untouched. */
  async function exhaustDelivery(jobId: string): Promise<void> {
    const database = await pages.stack.connect();
    await waitFor(async () => {
      await database.query(MAKE_DUE, [jobId]);
      return (await database.query(FIND_EXHAUSTED, [jobId])).rowCount === 1;
    }, WITHIN);
  }

  it('follow a job to its webhook, run it again, and delete its files', async () => {
    endWith(200);
    const id = await createJob({ webhook_url: receiverUrl() });
    await pages.visit(`/jobs/${id}`, 'Image', async (page, watched) => {
      const timeline = page.getByRole('region', { name: 'Timeline' });
      await timeline.getByText('Webhook delivered').waitFor();
      await timeline.getByText('Charged').waitFor();
      expect(await timeline.locator('strong').allTextContents()).toEqual([
        ...['Queued', 'Moderation of the input passed', 'Started', 'Moderation of the output passed'],
        ...['Succeeded', 'Charged', 'Webhook delivered'],
      ]);
      await page.getByRole('region', { name: 'Receipt' }).getByText('1 image at $0.005').waitFor();

      await page.getByRole('link', { name: 'Run again' }).click();
      await waitFor(
        async () => (await page.getByRole('textbox', { name: 'Prompt' }).inputValue()) === 'a red fox',
        WITHIN,
      );
      expect(await page.getByRole('combobox', { name: 'Model' }).inputValue()).toBe('fast-image');
      await page.goBack();
      await page.getByRole('button', { name: 'Delete' }).click();
      const dialog = page.getByRole('dialog', { name: 'Delete what the job holds' });
      await dialog.waitFor();
      expect(await watched.findings()).toEqual([]);
      await dialog.getByRole('button', { name: 'Delete for good' }).click();
      await page.getByText('The files are deleted', { exact: true }).waitFor();
    });
  });

  it('send a test event, see why it failed, and send it again', async () => {
    endWith(503, 'closed until noon');
    await pages.visit('/webhooks', 'Webhooks', async (page, watched) => {
      await page.getByRole('button', { name: 'Send a test' }).click();
      const dialog = page.getByRole('dialog', { name: 'Send a test event' });
      await dialog.getByRole('textbox', { name: 'Address of the receiver' }).fill('http://127.0.0.1/');
      await dialog.getByRole('button', { name: 'Send' }).click();
      await dialog.getByRole('alert').waitFor();
      expect(await watched.findings()).toEqual([]);
      // The console of a browser names the refused request itself.
      expect(watched.problems.splice(0)).toEqual([expect.stringContaining('400 (Bad Request)')]);
      await dialog.getByRole('textbox', { name: 'Address of the receiver' }).fill(receiverUrl());
      await dialog.getByRole('button', { name: 'Send' }).click();
      await page.getByRole('heading', { level: 1, name: 'Delivery' }).waitFor();
      // A later attempt may be there too.
      await page.getByText('closed until noon').first().waitFor();
      endWith(200);
      await page.getByRole('button', { name: 'Send again' }).click();
      await page.getByText('Repeats').waitFor();
      await page.getByRole('definition').getByText('delivered', { exact: true }).waitFor();
    });
  });

  it.each(WIDTHS)('read a delivery whose pages have no fault that can be found, at %i px', (width) =>
    pages.with({ width }).inspect('/webhooks', 'Webhooks', async (page) => {
      // The oldest one is of a job, the newer ones are of test events.
      await page.getByRole('link', { name: 'job.succeeded' }).last().click();
      await page.getByRole('heading', { level: 2, name: 'Payload' }).waitFor();
      await page.getByText('Attempt 1', { exact: true }).waitFor();
    }),
  );

  it('recover what a receiver missed, once', async () => {
    endWith(500);
    const id = await createJob({ webhook_url: receiverUrl() });
    await exhaustDelivery(id);
    endWith(200);
    await pages.visit('/', 'Home', async (page) => {
      await page.getByRole('link', { name: '1 failed' }).click();
      await page.getByRole('link', { name: 'job.succeeded' }).first().click();
      await page.getByText('"url": "(a signed link)"').waitFor();
      await page.goBack();
      await page.getByRole('button', { name: 'Recover failed' }).click();
      const dialog = page.getByRole('dialog', { name: 'Retry failed deliveries' });
      await dialog.getByRole('combobox', { name: 'Failed in' }).selectOption('1');
      await dialog.getByRole('button', { name: 'Send again' }).click();
      await page.getByText('1 sent again.').waitFor();
      await page.getByRole('button', { name: 'Recover failed' }).click();
      await dialog.getByRole('button', { name: 'Send again' }).click();
      await page.getByText('No delivery failed in that time.').waitFor();
    });
  });

  it('make a new webhook secret, shown once', () =>
    pages.visit('/webhooks', 'Webhooks', async (page) => {
      await page.getByRole('button', { name: 'Make a new secret' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('combobox', { name: 'The old secret ends' }).selectOption('3600');
      await dialog.getByRole('button', { name: 'Make a new secret' }).click();
      const secret = await page.getByLabel('webhook secret', { exact: true }).textContent();
      expect(secret).toMatch(/^whsec_/);
      await page.getByRole('button', { name: 'I have stored it' }).click();
      await waitFor(async () => !(await page.content()).includes(String(secret)), WITHIN);
    }));

  it('see what a key has spent of its budget, and which key sent a request', () =>
    pages.visit('/keys', 'Keys', async (page, watched) => {
      await page.getByRole('button', { name: 'Create a key' }).click();
      await page.getByRole('textbox', { name: 'Name' }).fill('web shop');
      await page.getByRole('textbox', { name: 'Budget (USD)' }).fill('5');
      await page.getByRole('button', { name: 'Create', exact: true }).click();
      const secret = await page.getByLabel('API key', { exact: true }).textContent();
      const authorization = `Bearer ${secret}`;
      const body = JSON.stringify({ prompt: 'a lake', model: 'fast-image' });
      const made = await pages.stack.call('/images/generations', { method: 'POST', body, headers: { authorization } });
      const { id } = (await made.json()) as { id: string };
      await waitFor(async () => {
        const read = await pages.stack.call(`/jobs/${id}`, { headers: { authorization } });
        return ((await read.json()) as { status: string }).status === 'succeeded';
      });
      await watched.visit('/usage?by=key', 'Usage');
      await page.getByRole('row', { name: 'web shop' }).getByText('$0.005').waitFor();
      await page.getByRole('slider', { name: 'Spend by key' }).waitFor();
      const file = page.waitForEvent('download');
      await page.getByRole('link', { name: 'CSV' }).click();
      expect((await file).suggestedFilename()).toBe('key-spend.csv');
      const openedOn = utcDay();
      await watched.visit('/usage', 'Usage');
      await page.getByText('% of those that ended').waitFor();
      await tabTo(page, 'Spend by day, UTC');
      await page.keyboard.press('ArrowLeft');
      await page.getByText(/^\d+ \w+: \$[\d.]+$/).waitFor();
      await page.keyboard.press('End');
      await page.keyboard.press('Enter');
      await page.getByRole('slider', { name: 'Spend by model' }).waitFor();
      expect([openedOn, utcDay()]).toContain(await page.getByLabel('From', { exact: true }).inputValue());
      expect(await watched.findings()).toEqual([]);
      await watched.visit('/keys', 'Keys');
      await page.getByText('$0.005 of $5.00 a month').waitFor();
      await page.getByRole('row', { name: 'default' }).getByText('in 30 days').waitFor();
      // The columns that are left fit beside each other.
      const excess =
        "(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('[aria-label=Keys]'))";
      for (let resize = 0; resize < RESIZES; resize++) {
        await page.setViewportSize({ width: WIDTHS[0], height: 800 });
        expect(await page.evaluate<number>(excess)).toBe(0);
        await page.setViewportSize({ width: WIDTHS[1], height: 900 });
      }
      await watched.visit('/requests', 'Requests');
      await page.getByRole('combobox', { name: 'Key' }).selectOption('web shop');
      const ofShop = page.getByRole('row').filter({ hasText: 'web shop' });
      await ofShop.getByText('POST /v1/images/generations').waitFor();
      await page.getByRole('combobox', { name: 'Key' }).selectOption('Any');
      await page.getByRole('combobox', { name: 'Sent by' }).selectOption('These pages');
      await page.getByText('console', { exact: true }).first().waitFor();
    }));

  it('see of archived months the sums, and the balance with which the list begins', async () => {
    const month = await archiveMonth(pages.stack);
    await pages.inspect('/money', 'Money', async (page) => {
      await page.getByText(`Entries through ${month} are archived`).waitFor();
      await page.getByText('The balance was $0.00 then.').waitFor();
      const file = await page.request.get(`${pages.origin}/admin/v1/customer/statement.csv`);
      expect((await file.text()).split('\r\n').at(-2)).toBe(`${month},archived,,,0.000000,,`);
    });
    await pages.inspect(`/money/statements/${month}`, `Statement ${month}`, async (page) => {
      const line = page.getByRole('row').filter({ hasText: 'Payments and adjustments, archived' });
      await line.getByText('$3.00').waitFor();
      await page.getByRole('row').filter({ hasText: '2 jobs charged' }).getByText('−$3.00').waitFor();
      expect(await page.getByText('CSV').count()).toBe(0);
    });
  });

  it('change the auto-recharge of the card that the operator has added', async () => {
    const { account_id } = await pages.stack.describe();
    const rule = { threshold_micros: 1_000_000, amount_micros: 5_000_000 };
    await rechargeAutomatically(pages.stack, { account_id, ...rule });
    await pages.visit('/money', 'Money', async (page, watched) => {
      await page.getByRole('button', { name: 'Change', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'Auto-recharge' });
      await dialog.getByRole('textbox', { name: 'When the balance falls below (USD)' }).fill('two');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.getByRole('alert').filter({ hasText: 'Write an amount' }).waitFor();
      expect(await watched.findings()).toEqual([]);
      await dialog.getByRole('textbox', { name: 'When the balance falls below (USD)' }).fill('2.50');
      await dialog.getByRole('textbox', { name: 'Amount to charge (USD)' }).fill('20');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await page.getByText('$20.00 when less than $2.50 is left').waitFor();
    });
  });

  it('come in by a link that works once, and see what a lesser session may do', async () => {
    const { account_id } = await pages.stack.describe();
    const command = ['account', 'portal-link', account_id, '--capabilities', 'read,jobs'];
    const { url } = await pages.stack.kinora<{ url: string }>(...command);
    const watched = await pages.openSignedOut();
    const { page } = watched;
    await page.goto(url);
    await page.getByRole('button', { name: 'Continue' }).waitFor();
    // The token leaves the address.
    await page.waitForURL(`${pages.origin}/portal`);
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

    const late = await pages.openSignedOut();
    await late.page.goto(url);
    await late.page.getByRole('button', { name: 'Continue' }).click();
    await late.page.getByRole('alert').waitFor();
    await late.close();
  });

  it('end the session of another browser', async () => {
    const other = await pages.signIn();
    await pages.visit('/keys', 'Keys', async (page) => {
      // The newest session is the first one.
      await page
        .getByRole('button', { name: /^End the session/ })
        .first()
        .click();
      await page.getByText('The session has ended.').waitFor();
      await other.page.getByRole('link', { name: 'Jobs' }).click();
      await other.page.getByRole('textbox', { name: 'API key' }).waitFor();
    });
    await other.close();
  });
});
