import { type Browser, chromium } from 'playwright-core';

const DEBIANS = '/usr/bin/chromium';

/** Starts the installed Chromium; a browser is no package of npm. `npm run test:console` looks for one and sets CHROMIUM_PATH. */
export async function launchChromium(): Promise<Browser> {
  // Containers mostly allow no user namespaces, and give little shared memory. The tests open pages of our own only.
  return chromium.launch({
    executablePath: process.env.CHROMIUM_PATH || DEBIANS,
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  });
}
