import sharp from 'sharp';
import { ConsolePages } from './console-pages';
import { WIDTHS } from './watched-page';

describe('the page that checks where a file comes from', () => {
  let pages: ConsolePages;
  let made: Buffer;

  beforeAll(async () => {
    pages = await ConsolePages.start();
    const body = JSON.stringify({ prompt: 'a lighthouse on a cliff at sunset', model: 'fast-image', size: '512x512' });
    const headers = { prefer: 'wait=60' };
    const created = await pages.stack.call('/images/generations', { method: 'POST', body, headers });
    const { output } = (await created.json()) as { output: { images: { url: string }[] } };
    made = Buffer.from(await (await fetch(output.images[0]?.url ?? '')).arrayBuffer());
  });
  afterAll(() => pages?.close());

  const unknown = () =>
    sharp({ create: { width: 320, height: 320, channels: 3, background: '#336699' } })
      .png()
      .toBuffer();
  const stripped = () => sharp(made).resize(400).jpeg({ quality: 60 }).toBuffer();

  it.each(WIDTHS)('says without a sign-in what is known of a file, at %i px', async (width) => {
    const watched = await pages.open({ width });
    const { page } = watched;
    await watched.visit('/check', 'Check a file');
    const check = async (name: string, mimeType: string, buffer: Buffer, found: string) => {
      await page.getByLabel('Drop a PNG').setInputFiles({ name, mimeType, buffer });
      await page.getByRole('heading', { name: found }).waitFor();
      expect(await watched.findings()).toEqual([]);
    };
    await check('made.png', 'image/png', made, 'This service has signed this file');
    await page.getByRole('heading', { name: 'This service has made this file' }).waitFor();
    await page.getByText('fast-image').first().waitFor();
    await check('copy.jpg', 'image/jpeg', await stripped(), 'This service has made a picture that looks the same');
    await check('other.png', 'image/png', await unknown(), 'Nothing is known about this file');
    expect(watched.problems).toEqual([]);
    await watched.close();
  });
});
