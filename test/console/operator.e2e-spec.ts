import { FakeComfyui, LoadingGpu } from '@kinora/compute/fixtures';
import { waitFor } from '@kinora/testing';
import type { LocalStack } from '../support/local-stack';
import { openAccount } from '../support/operator';
import { ConsolePages, useOnePage } from './console-pages';
import { act, setUpOperator } from './operator-pages';
import { WIDTHS, writeGuideImage } from './watched-page';

const PAGES = [
  ['/operator', 'Overview'],
  ['/operator/accounts', 'Accounts'],
  ['/operator/jobs', 'Jobs'],
  ['/operator/compute', 'Compute'],
  ['/operator/models', 'Models'],
  ['/operator/moderation', 'Moderation'],
  ['/operator/moderation?show=strikes', 'Moderation'],
  ['/operator/moderation?show=appeals', 'Moderation'],
  ['/operator/moderation?show=replay', 'Moderation'],
  ['/operator/compliance', 'Compliance'],
  ['/operator/webhooks', 'Webhooks'],
  ['/operator/ledger', 'Ledger'],
  ['/operator/emails', 'E-mail'],
  ['/operator/audit', 'Audit'],
  ['/operator/users', 'Users'],
] as const;
const PROMPTS = ['A lighthouse in a storm', 'A red fox in the snow', 'Dunes under the stars'];
/** A model of a card that loads it. */
const SHARED_MODEL = {
  id: 'colour',
  type: 'image',
  label: 'Colour',
  capabilities: { t2i: true, sizes: ['512x512'], max_n: 1, max_refs: 0 },
  price: { micros: 1, per: 'image' },
  routes: [{ provider: 'gpu-a', template: 'cpu-text-to-image-standin' }],
};

describe("the operators' pages", () => {
  let pages: ConsolePages;
  let stack: LocalStack;
  const jobs = { succeeded: '', blocked: '' };
  const gpu = new LoadingGpu(new FakeComfyui(), { runMs: 20, loadMs: 100 });

  beforeAll(async () => {
    const instance = { id: 'gpu-a', type: 'comfyui', url: await gpu.server.start() };
    gpu.start();
    const config = { 'providers.yaml': { providers: [instance] }, 'catalog.yaml': { models: [SHARED_MODEL] } };
    pages = await ConsolePages.start({ config });
    ({ stack } = pages);
    for (const prompt of PROMPTS) jobs.succeeded = await ended(await create(prompt));
    // The demo account rehearses blocks without strikes.
    const { client } = await openAccount(stack);
    jobs.blocked = (await client.generate({ model: 'fast-image', prompt: 'Dunes [[output:blocked]]' })).id;
    await client.ended(jobs.blocked);
  });

  afterAll(async () => {
    await pages?.close();
    gpu.stop();
    await gpu.server.stop();
  });

  async function create(prompt: string, model = 'fast-image'): Promise<string> {
    const body = JSON.stringify({ prompt, model });
    const { id } = (await (await stack.call('/images/generations', { method: 'POST', body })).json()) as { id: string };
    return id;
  }

  /** Asks by long polls, so that the key's rate limit has room for the rest of the test. @returns the id */
  async function ended(id: string): Promise<string> {
    await waitFor(async () => {
      const answer = await stack.call(`/jobs/${id}`, { headers: { Prefer: 'wait=10' } });
      return ((await answer.json()) as { completed_at: string | null }).completed_at !== null;
    });
    return id;
  }

  it('open with the link of the first start', () => setUpOperator(pages));

  describe.each(WIDTHS)('at %i px', (width) => {
    const onePage = useOnePage(() => pages.open({ width }));
    it.each(PAGES)('have no fault that can be found: %s', (path, heading) =>
      onePage.inspect(path, heading, async (page) => {
        if (width > 1_000 && path === '/operator') await writeGuideImage(page, 'operator-overview');
      }),
    );
  });

  describe.each([
    [390, 'light'],
    [1440, 'light'],
    [390, 'dark'],
    [1440, 'dark'],
  ] as const)('of one account and one job, at %i px and %s', (width, colorScheme) => {
    it('have no fault that can be found', async () => {
      const { account_id } = await stack.describe();
      await pages
        .with({ width, colorScheme })
        .inspect(`/operator/accounts/${account_id}`, 'Demo', async (page, watched) => {
          await page.getByRole('heading', { name: 'Statement' }).waitFor();
          expect(await watched.findings()).toEqual([]);
          await watched.visit(`/operator/jobs/${jobs.succeeded}`, 'Job');
          await page.getByRole('heading', { name: 'Attempts' }).waitFor();
        });
    });
  });

  describe('in the dark', () => {
    const onePage = useOnePage(() => pages.open({ colorScheme: 'dark' }));
    it.each(PAGES)('are readable: %s', (path, heading) => onePage.inspect(path, heading));
  });

  it('set the price of a model, and the factor of a group that an account then pays', () =>
    pages.visit('/operator/models', 'Models', async (page, watched) => {
      const field = (name: string) => page.getByRole('dialog').getByRole('textbox', { name });
      await page.getByRole('button', { name: 'Set price of Colour' }).click();
      await field('Dollars per image').fill('0.003');
      await field('Sizes at another price').fill('512x512 0.0025');
      await act(watched, 'Set the price', 'dearer GPUs', 'The price of Colour is set.');
      await page
        .getByRole('row', { name: /^Colour/ })
        .getByText('$0.003', { exact: true })
        .waitFor();
      await page.getByRole('button', { name: 'Add a price group' }).click();
      await field('Name').fill('resellers');
      await field('Percent of the price list').fill('80');
      await act(watched, 'Set the factor', 'a contract', 'The factor is set.');
      const { accountId } = await openAccount(stack, { name: 'Reseller' });
      await watched.visit(`/operator/accounts/${accountId}`, 'Reseller');
      await page.getByRole('button', { name: 'Price group' }).click();
      await page.getByRole('dialog').getByRole('combobox', { name: 'Price group' }).selectOption('resellers');
      expect(await watched.findings()).toEqual([]);
      await act(watched, 'Change', 'signed', 'The price group is changed.');
      await watched.visit('/operator/audit', 'Audit');
      await page.getByText('price: $0.000001 → $0.003').first().waitFor();
    }));

  it('refund a job and cancel another one', () =>
    pages.visit(`/operator/jobs/${jobs.succeeded}`, 'Job', async (page, watched) => {
      await page.getByRole('button', { name: 'Refund' }).click();
      await act(watched, 'Refund it', 'a broken image', 'The price is back in the balance.');
      // Its creation is answered at once.
      await watched.visit(`/operator/jobs/${await create('Dunes [[delay:86400s]]', 'general-image')}`, 'Job');
      await page.getByRole('button', { name: 'Cancel' }).click();
      await act(watched, 'Cancel the job', 'it is stuck', 'The job is canceled, and its price is back.');
      await page.getByRole('main').getByText('canceled', { exact: true }).first().waitFor();
    }));

  it('show an output blurred, and each view stands in the audit trail', () =>
    pages.visit(`/operator/jobs/${jobs.succeeded}`, 'Job', async (page, watched) => {
      await page.getByRole('button', { name: 'Show the first' }).click();
      const image = page.getByRole('img', { name: 'Blurred output 1' });
      await waitFor(
        async () => (await image.evaluate((it) => (it as unknown as { naturalWidth: number }).naturalWidth)) === 24,
      );
      expect(await page.getByRole('button', { name: 'Show the next' }).count()).toBe(0);
      expect(await watched.findings()).toEqual([]);
      await watched.visit('/operator/audit', 'Audit');
      expect(await page.getByText('view media').count()).toBe(1);
    }));

  it('lift the block that a customer has appealed against on the page of the job, and its strike', async () => {
    const { client, apiKey } = await openAccount(stack);
    const { id } = await client.generate({ model: 'fast-image', prompt: 'Rocks [[output:blocked]]' });
    await client.ended(id);
    const customer = await pages.openSignedOut();
    await customer.page.goto(`/jobs/${id}`);
    await customer.signIn(apiKey);
    await customer.page.getByRole('button', { name: 'Appeal' }).click();
    const dialog = customer.page.getByRole('dialog');
    const send = async (text: string) => {
      await dialog.getByRole('textbox', { name: 'Why the block is wrong' }).fill(text);
      expect(await customer.findings()).toEqual([]);
      await dialog.getByRole('button', { name: 'Send the appeal' }).click();
    };
    await send('Rocks show no people.');
    await dialog.getByText('open', { exact: true }).waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await pages.inspect('/operator/moderation?show=appeals', 'Moderation', async (page, watched) => {
      await page.getByText('Rocks show no people.').waitFor();
      await page.getByRole('button', { name: `Lift the block of job ${id}` }).click();
      await act(watched, 'Lift', 'a test picture', 'The block is lifted.');
      await watched.visit('/operator/moderation?show=strikes', 'Moderation');
      await page.getByRole('button', { name: `Lift the strike of job ${jobs.blocked}` }).waitFor();
      expect(await page.getByRole('button', { name: `Lift the strike of job ${id}` }).count()).toBe(0);
    });
    await customer.page.getByRole('button', { name: 'Appeal' }).click();
    await send('What was decided?');
    for (const text of ['lifted', 'a test picture']) await dialog.getByText(text, { exact: true }).waitFor();
    await customer.close();
  });

  it('lift a strike, and replay a policy over the record', () =>
    pages.inspect('/operator/moderation?show=strikes', 'Moderation', async (page, watched) => {
      await page.getByRole('button', { name: `Lift the strike of job ${jobs.blocked}` }).click();
      await act(watched, 'Lift', 'a false alarm', 'The strike is lifted.');
      await page.getByRole('button', { name: `Lift the strike of job ${jobs.blocked}` }).waitFor({ state: 'detached' });
      await page.getByText('by ada@example.com').first().waitFor();
      await watched.visit('/operator/moderation?show=replay', 'Moderation');
      await page.getByRole('textbox', { name: 'Policy' }).fill('engines: []\n');
      await page.getByRole('button', { name: 'Decide the record again' }).click();
      await page.getByRole('heading', { name: 'decisions checked' }).waitFor();
    }));

  it('show what an instance that loads models did in the last hour', async () => {
    const { client } = await openAccount(stack);
    await client.ended((await client.generate({ model: 'colour', prompt: 'a colour' })).id);
    await pages.inspect('/operator/compute', 'Compute', async (page) => {
      const row = page.getByRole('row', { name: /^gpu-a/ });
      await row.getByText('running 0 %, loading 0 %, idle 100 %').waitFor();
    });
  });

  it('examine the instances when an operator asks for it', () =>
    pages.inspect('/operator/compute', 'Compute', async (page) => {
      await page.getByRole('button', { name: 'Examine now' }).click();
      await page
        .getByRole('row', { name: /^Model fast-image/ })
        .getByText('none')
        .waitFor();
    }));

  it('verify the ledger, and the overview says when and by whom', () =>
    pages.visit('/operator/ledger', 'Ledger', async (page, watched) => {
      await page.getByRole('button', { name: 'Verify now' }).click();
      await page.getByRole('textbox', { name: 'Reason' }).fill('the end of the month');
      expect(await watched.findings()).toEqual([]);
      await page.getByRole('button', { name: 'Verify', exact: true }).click();
      await page.getByText(/accounts? compared: every wallet is exact\./).waitFor();
      await watched.visit('/operator', 'Overview');
      const row = page.getByRole('row', { name: /kinora ledger verify/ });
      await row.getByText('ok', { exact: true }).waitFor();
      await row.getByText('ada@example.com').waitFor();
      await page
        .getByRole('row', { name: /kinora doctor/ })
        .getByText('not run yet')
        .waitFor();
    }));
});
