import { JOB_ERROR_CODES, TYPE_BY_CODE } from '@kinora/contracts/shared/errors';
import { waitFor } from '@kinora/testing';
import type { AxeResults } from 'axe-core';
import type { Locator } from 'playwright-core';
import sharp from 'sharp';
import { ConsolePages } from './console-pages';
import { focused, tabTo, WIDTHS } from './watched-page';

const WITHIN = { timeoutMs: 60_000 };
/** Small and quick, so that four of them run side by side on a busy machine. */
const imageModel = (id: string, label: string, micros: number): string => `
  - id: ${id}
    type: image
    label: ${label}
    capabilities: { t2i: true, sizes: [256x256], max_n: 2, max_refs: 0, sandbox: true }
    price: { micros: ${micros}, per: image }
    routes: [{ provider: sandbox }]`;
const CATALOG = `models:${imageModel('ink', 'Ink', 1_000)}${imageModel('wash', 'Wash', 2_000)}
  - id: clip
    type: video
    label: Clip
    capabilities: { i2v: true, durations: [5], fps: 8, max_refs: 1, sandbox: true }
    price: { micros: 3000, per: second }
    output_frame: { max_pixels: 262144, side_multiple: 16 }
    routes: [{ provider: sandbox }]
  - id: film
    type: video
    label: Film
    capabilities: { i2v: true, durations: [5], fps: 8, max_refs: 1, sandbox: true }
    price: { micros: 3000, per: second, micros_by_size: { 160x128: 1000 } }
    output_frame: { max_pixels: 262144, side_multiple: 16 }
    routes: [{ provider: sandbox }]
`;

describe('the playground, and the pages without a mouse', () => {
  let pages: ConsolePages;
  let image: Awaited<ReturnType<typeof imageFile>>;

  beforeAll(async () => {
    image = await imageFile('lake.png', 128, 96);
    pages = await ConsolePages.ofCustomer({ config: { 'catalog.yaml': CATALOG } });
  });

  afterAll(async () => {
    await pages?.close();
  });

  it('signs in, makes an image and rotates a key with the keyboard alone', async () => {
    const watched = await pages.openSignedOut();
    const { page } = watched;
    await page.goto('/');
    await page.getByRole('textbox', { name: 'API key' }).waitFor();
    await page.keyboard.type(pages.apiKey);
    await tabTo(page, 'Sign in');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    await waitFor(async () => (await focused(page)) === 'Home', WITHIN);

    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    await tabTo(page, 'Skip to content');
    await tabTo(page, 'Playground');
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'Prompt' }).waitFor();
    await waitFor(async () => (await focused(page)) === 'Playground', WITHIN);
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

  it('compares up to four models, for the sum of their prices', () =>
    pages.inspect('/playground', 'Playground', async (page) => {
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
    }));

  it('edits an uploaded image, and shows the request without it', () =>
    pages.inspect('/playground', 'Playground', async (page) => {
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
      await page.getByRole('slider', { name: 'Before and after' }).press('ArrowLeft');
      await page.getByRole('radio', { name: 'Code' }).check();
      await page.getByRole('tab', { name: 'curl' }).click();
      await page.getByRole('tabpanel').getByText('data:image/png;base64,…').waitFor();
      await page
        .getByRole('tabpanel')
        .getByText(`${(await pages.stack.describe()).base_url}/images/edits`)
        .waitFor();
    }));

  it.each(WIDTHS)('uses an output as the input of an edit and of a video, at %i px', (width) =>
    pages.with({ width }).inspect('/playground', 'Playground', async (page, watched) => {
      const prompt = page.getByRole('textbox', { name: 'Prompt' });
      await prompt.fill('a quiet harbour');
      await page.getByRole('combobox', { name: 'Model' }).selectOption('ink');
      await page.getByText('Or press Ctrl and Enter.').waitFor();
      await page.getByRole('status', { name: 'Price' }).getByText('$0.001', { exact: true }).waitFor();
      await prompt.press('Control+Enter');
      await page.getByRole('img', { name: 'a quiet harbour' }).waitFor();
      await page.getByRole('link', { name: 'Edit this' }).click();
      await page.getByRole('button', { name: 'Remove Output of a job' }).waitFor();
      await prompt.fill('with lanterns');
      await page.getByRole('status', { name: 'Price' }).getByText('$0.03', { exact: true }).waitFor();
      await prompt.press('Control+Enter');
      await page.getByRole('img', { name: 'with lanterns' }).waitFor();
      await page.getByRole('slider', { name: 'Before and after' }).waitFor();
      expect(await watched.findings()).toEqual([]);

      await page.reload();
      await page.getByRole('button', { name: 'Remove Output of a job' }).waitFor();
      expect(await prompt.inputValue()).toBe('with lanterns');
      await page.getByRole('slider', { name: 'Before and after' }).waitFor();
      await page.goBack();
      await waitFor(async () => (await prompt.inputValue()) === 'a quiet harbour', WITHIN);
      await page.getByRole('link', { name: 'Vary' }).last().click();
      await waitFor(async () => (await page.getByRole('combobox', { name: 'Model' }).inputValue()) === 'ink', WITHIN);

      await page.getByRole('link', { name: 'Animate' }).last().click();
      await page.getByRole('button', { name: 'Remove Output of a job' }).waitFor();
      await prompt.fill('boats sway');
      await page.getByRole('combobox', { name: 'Model' }).selectOption('clip');
      await page.getByRole('status', { name: 'Price' }).getByText('$0.015', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Generate' }).click();
      await page.getByLabel('boats sway').waitFor();
      await page.getByRole('link', { name: 'Details' }).first().click();
      await page.getByRole('link', { name: 'Run again' }).click();
      await page.getByRole('button', { name: 'Remove Output of a job' }).waitFor();
      expect(await page.getByRole('radio', { name: 'Video' }).isChecked()).toBe(true);
      await watched.visit('/jobs', 'Jobs');
      await page.getByRole('radio', { name: 'Gallery' }).check();
      const shown = page.getByRole('link', { name: 'boats sway' }).first().locator('video');
      await waitFor(async () => (await durationOf(shown)) > 0, WITHIN);
    }),
  );

  it.each(WIDTHS)('leads to the reference and back, also from an error code, at %i px', async (width) => {
    const watched = await pages.open({ width, colorScheme: 'dark' });
    const { page } = watched;
    await watched.visit('/playground', 'Playground');
    await page.getByRole('textbox', { name: 'Prompt' }).fill('KINORA-MODERATION-TEST-BLOCK');
    await page.getByRole('button', { name: 'Generate' }).click();
    await page.getByRole('link', { name: 'content_blocked_prompt' }).click();
    await page.getByRole('term').filter({ hasText: 'content_blocked_prompt (422)' }).waitFor();
    const ids = await page
      .locator('#errors dt')
      .evaluateAll((terms) => terms.map((term) => (term as { id: string }).id));
    const codes = [...Object.keys(TYPE_BY_CODE), ...JOB_ERROR_CODES].map(
      (code) => `error-${code.replaceAll('_', '-')}`,
    );
    expect(ids).toEqual([...new Set(codes)].toSorted());
    expect(await page.locator('#errors dd').count()).toBe(3 * ids.length);
    await page.getByText('Error codes').click();
    await page.getByRole('button', { name: /^POST \/images\/generations/ }).click();
    for (const [language, line] of [
      ['curl', /^curl -X POST http/],
      ['TypeScript', /await fetch/],
      ['Python', /^import os/m],
    ] as const) {
      await page.getByText(language, { exact: true }).first().click();
      await page.locator('pre').filter({ hasText: line }).first().waitFor();
    }
    const own = { include: ['.masthead', '.errors', '.samples'] };
    const { violations } = await page.evaluate<AxeResults>(`axe.run(${JSON.stringify(own)})`);
    expect(violations).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')).toBe(0);
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(20, 22, 27)');
    await page.getByRole('link', { name: 'Back to the console' }).click();
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    await watched.close();
  });

  it('cancels a run, and lists it after a reload', () =>
    pages.inspect('/playground', 'Playground', async (page) => {
      await page.getByRole('textbox', { name: 'Prompt' }).fill('slow dunes [[delay:86400s]]');
      await page.getByRole('combobox', { name: 'Model' }).selectOption('general-image');
      await page.getByRole('status', { name: 'Price' }).getByText('$0.02', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Generate' }).click();
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page.getByText('The price went back to the balance.').waitFor();
      await page.reload();
      await page.getByText('The price went back to the balance.').waitFor();
    }));

  it('animates an image that is pasted', () =>
    pages.inspect('/playground', 'Playground', async (page) => {
      await page.getByRole('radio', { name: 'Video' }).check();
      await page.evaluate(pasteImage(image.buffer.toString('base64')));
      await page.getByRole('button', { name: 'Remove pasted.png' }).waitFor();
      await page.getByRole('textbox', { name: 'Prompt' }).fill('slowly forward');
      await page.getByRole('combobox', { name: 'Model' }).selectOption('clip');
      await page.getByRole('combobox', { name: 'Seconds' }).selectOption('5');
      await page.getByRole('status', { name: 'Price' }).getByText('$0.015', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Generate' }).click();
      const video = page.getByLabel('slowly forward');
      await waitFor(async () => (await video.count()) === 1 && (await durationOf(video)) > 0, WITHIN);
    }));

  it('shows the price of a video that depends on the size of its start frame, and starts at that price', () =>
    pages.inspect('/playground', 'Playground', async (page) => {
      await page.getByRole('radio', { name: 'Video' }).check();
      await page.getByRole('combobox', { name: 'Model' }).selectOption('film');
      const price = page.getByRole('status', { name: 'Price' });
      await price.getByText('Follows from the size of the image.').waitFor();
      expect(await page.getByRole('alert').count()).toBe(0);
      await page.getByLabel('Start frame').setInputFiles(image);
      await price.getByText('$0.015', { exact: true }).waitFor();
      await page.getByLabel('Start frame').setInputFiles(await imageFile('sea.png', 160, 128));
      await price.getByText('$0.005', { exact: true }).waitFor();
      await page.getByRole('textbox', { name: 'Prompt' }).fill('waves roll in');
      await page.getByRole('button', { name: 'Generate' }).click();
      const video = page.getByLabel('waves roll in');
      await waitFor(async () => (await video.count()) === 1 && (await durationOf(video)) > 0, WITHIN);
      await page.getByRole('link', { name: 'Details' }).locator('..').getByText('$0.005', { exact: true }).waitFor();
    }));
});

/** A program that pastes an image, as from another application. */
const pasteImage = (base64: string): string => `(() => {
  const bytes = Uint8Array.from(atob('${base64}'), (char) => char.charCodeAt(0));
  const clipboardData = new DataTransfer();
  clipboardData.items.add(new File([bytes], 'pasted.png', { type: 'image/png' }));
  document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
})()`;

async function imageFile(name: string, width: number, height: number) {
  const pixels = { width, height, channels: 3 as const, background: '#2f6f9f' };
  return { name, mimeType: 'image/png', buffer: await sharp({ create: pixels }).png().toBuffer() };
}

function durationOf(video: Locator): Promise<number> {
  return video.evaluate((it) => (it as unknown as { duration: number }).duration);
}
