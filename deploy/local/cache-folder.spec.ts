import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { cacheFolder, makeCacheFolder } from './data-folder';

describe('cache folder', () => {
  const root = mkdtempSync(path.join(os.tmpdir(), 'kinora-cache-'));
  afterAll(() => rmSync(root, { recursive: true }));

  it("is in the user's cache folder, or in the configured one", () => {
    const ordinary = path.join(os.homedir(), '.cache/kinora');
    expect(cacheFolder({})).toBe(ordinary);
    expect(cacheFolder({ XDG_CACHE_HOME: 'relative' })).toBe(ordinary);
    expect(cacheFolder({ XDG_CACHE_HOME: '/caches' })).toBe('/caches/kinora');
    expect(cacheFolder({ XDG_CACHE_HOME: '/caches', KINORA_CACHE_DIR: '/own' })).toBe('/own');
  });

  it('explains how to choose another folder if it cannot be created', async () => {
    const file = path.join(root, 'file');
    writeFileSync(file, '');
    await expect(makeCacheFolder(path.join(file, 'cache'))).rejects.toThrow(/ENOTDIR.*set KINORA_CACHE_DIR/);
  });
});
