import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** Debian's, and where other distributions and Chrome's own packages put it. */
const PROGRAMS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', '/snap/bin/chromium'];

/** Starts the installed Chromium; a browser is no package of npm. */
export async function launchChromium(): Promise<Browser> {
  const executablePath = [process.env.CHROMIUM_PATH ?? '', ...PROGRAMS].find((program) => existsSync(program));
  if (executablePath === undefined) {
    throw new Error(
      'No Chromium is installed, so the console cannot be tested. Run `apt-get install chromium`, or name one in CHROMIUM_PATH.',
    );
  }
  // Containers mostly allow no user namespaces, and give little shared memory. The tests open pages of our own only.
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}
