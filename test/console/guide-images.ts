import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import sharp from 'sharp';

const FOLDER = path.resolve('docs/console');
const COLOURS = 128;

/** Writes an image of the guide, where the run is asked for them: `GUIDE_IMAGES=1`. */
export async function writeGuideImage(page: Page, name: string): Promise<void> {
  if (process.env.GUIDE_IMAGES !== '1') return;
  // The test has scrolled to what it clicked last.
  await page.evaluate('scrollTo(0, 0)');
  await mkdir(FOLDER, { recursive: true });
  const png = await sharp(await page.screenshot())
    .png({ palette: true, colours: COLOURS, effort: 10 })
    .toBuffer();
  await writeFile(path.join(FOLDER, `${name}.png`), png);
}
