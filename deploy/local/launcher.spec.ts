import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { runLocalStack } from './launcher';
import { readLocalStackSettings } from './local-stack.config';

describe('launcher', () => {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'kinora-launcher-'));
  afterAll(() => rmSync(dataDir, { recursive: true }));

  it('releases the data folder, and reports the error, if the stack file cannot be removed', async () => {
    // `unlink` fails on a folder.
    mkdirSync(path.join(dataDir, 'stack.json'));
    const printed: string[] = [];
    const run = runLocalStack({
      settings: readLocalStackSettings({ KINORA_DATA_DIR: dataDir }),
      programs: dataDir,
      env: {},
      print: (text) => printed.push(text),
      stop: new AbortController().signal,
    });
    await expect(run).rejects.toThrow('stack.json');
    expect(printed.join()).toContain('stack.json');
    expect(existsSync(path.join(dataDir, 'running.json'))).toBe(false);
  });
});
