import { chownSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { cacheFolder } from '../../deploy/local/data-folder';
import { findNatsBinary } from '../../deploy/local/nats/nats-binary';
import { LocalStack } from '../support/local-stack';

/** Starts a whole stack, which competes with other load on the machine. */
const BOOT_TIMEOUT_MS = 120_000;
/** Root cannot switch to an ordinary user where the checkout lies below root's home: this user may read, not write. */
const NOBODY = 65_534;
const AS_NOBODY = [
  'setpriv',
  `--reuid=${NOBODY}`,
  `--regid=${NOBODY}`,
  '--clear-groups',
  '--inh-caps=+dac_read_search',
  '--ambient-caps=+dac_read_search',
];

jest.setTimeout(BOOT_TIMEOUT_MS);

describe('local stack of an ordinary user', () => {
  const home = mkdtempSync(path.join(os.tmpdir(), 'kinora-e2e-user-'));
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  it('needs no privileges', async () => {
    const cache = path.join(home, 'cache');
    mkdirSync(cache);
    copyFileSync(
      await findNatsBinary({ cacheDir: cacheFolder(process.env), env: process.env }),
      path.join(cache, 'nats-server'),
    );
    const isRoot = process.getuid?.() === 0;
    if (isRoot) for (const file of [home, cache]) chownSync(file, NOBODY, NOBODY);
    const stack = await LocalStack.start({
      dataDir: path.join(home, 'data'),
      env: { KINORA_CACHE_DIR: cache },
      prefix: isRoot ? AS_NOBODY : [],
    });
    expect(statSync(path.join(stack.dataDir, 'postgres')).uid).toBe(statSync(stack.dataDir).uid);
    expect((await stack.call('/account')).status).toBe(200);
    await stack.end('SIGINT');
    expect(stack.exitCode).toBe(0);
  });
});

describe('local stack that cannot start', () => {
  const root = mkdtempSync(path.join(os.tmpdir(), 'kinora-e2e-problem-'));
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  /** The output without the lines that say what the start does. */
  async function problemOf(env: NodeJS.ProcessEnv): Promise<string[]> {
    const stack = await LocalStack.launch({ env });
    await stack.stop();
    expect(stack.exitCode).toBe(1);
    return stack.output
      .trimEnd()
      .split('\n')
      .filter((line) => !line.endsWith(' …'));
  }

  it('reports that DATABASE_URL is not reachable', async () => {
    const lines = await problemOf({ DATABASE_URL: 'postgres://postgres@127.0.0.1:1/none' });
    expect(lines).toEqual([expect.stringMatching(/^DATABASE_URL: .*ECONNREFUSED/)]);
  });

  it("names the invalid line of an operator's file", async () => {
    writeFileSync(path.join(root, 'catalog.yaml'), 'models:\n  - id: 7\n');
    const lines = await problemOf({ KINORA_CONFIG_DIR: root });
    expect(lines).toEqual([expect.stringMatching(/^catalog did not start: .*catalog\.yaml/)]);
  });

  it('reports that the data folder is not writable', async () => {
    writeFileSync(path.join(root, 'file'), '');
    const stack = await LocalStack.launch({ dataDir: path.join(root, 'file/data') });
    expect(stack.exitCode).toBe(1);
    expect(stack.output).toMatch(/^Cannot write to the data folder .* set KINORA_DATA_DIR to another folder\.\n$/);
  });
});
