import { mkdtempSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { logFile, openDataFolder, rotateLogs, cacheFolder, makeCacheFolder } from './data-folder';

const parent = mkdtempSync(path.join(os.tmpdir(), 'kinora-data-'));
afterAll(() => rmSync(parent, { recursive: true }));

describe('data folder', () => {
  it('is created with access for its owner only', async () => {
    const { root } = await openDataFolder(path.join(parent, 'deep/new'));
    expect(statSync(root).mode & 0o777).toBe(0o700);
  });

  it('is named where the system refuses to create it although the parent exists', async () => {
    await expect(openDataFolder('/proc/kinora/data')).rejects.toThrow('/proc/kinora/data (ENOENT)');
  });

  it('rotates large logs, but only when requested', async () => {
    const folder = await openDataFolder(path.join(parent, 'logs'));
    for (const [name, bytes] of [['jobs', 11 * 1024 * 1024] as const, ['billing', 100] as const]) {
      writeFileSync(logFile(folder, name), '');
      truncateSync(logFile(folder, name), bytes);
    }
    await openDataFolder(folder.root);
    // Another stack may be writing to them.
    expect(readdirSync(folder.logs).sort()).toEqual(['billing.log', 'jobs.log']);
    await rotateLogs(folder);
    expect(readdirSync(folder.logs).sort()).toEqual(['billing.log', 'jobs.log.1']);
  });
});

describe('cache folder', () => {
  it("is in the user's cache folder, or in the configured one", () => {
    const ordinary = path.join(os.homedir(), '.cache/kinora');
    expect(cacheFolder({})).toBe(ordinary);
    expect(cacheFolder({ XDG_CACHE_HOME: 'relative' })).toBe(ordinary);
    expect(cacheFolder({ XDG_CACHE_HOME: '/caches' })).toBe('/caches/kinora');
    expect(cacheFolder({ XDG_CACHE_HOME: '/caches', KINORA_CACHE_DIR: '/own' })).toBe('/own');
  });

  it('explains how to choose another folder if it cannot be created', async () => {
    const file = path.join(parent, 'cache-file');
    writeFileSync(file, '');
    await expect(makeCacheFolder(path.join(file, 'cache'))).rejects.toThrow(/ENOTDIR.*set KINORA_CACHE_DIR/);
  });
});
