import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { StartProblem } from '../start-problem';
import { findNatsBinary, type NatsSource } from './nats-binary';

/** Folders in which a server of this machine would hide the tested behaviour. */
const NO_SYSTEM_FOLDERS: string[] = [];

describe('nats-server program', () => {
  const root = mkdtempSync(path.join(os.tmpdir(), 'kinora-nats-'));
  const cacheDir = path.join(root, 'cache');
  const onPath = path.join(root, 'bin');
  let fetches = 0;

  beforeEach(() => {
    fetches = 0;
    for (const folder of [cacheDir, onPath]) {
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder);
    }
  });
  afterAll(() => rmSync(root, { recursive: true }));

  const works: NatsSource = async (folder) => {
    fetches += 1;
    const fetched = path.join(folder, 'fetched');
    writeFileSync(fetched, 'program');
    return fetched;
  };
  const fails: NatsSource = () => Promise.reject(new Error('no network'));

  function find(...sources: NatsSource[]): Promise<string> {
    return findNatsBinary({ cacheDir, env: { PATH: onPath }, systemFolders: NO_SYSTEM_FOLDERS, sources });
  }

  it('is the one installed on the machine if there is one', async () => {
    const own = path.join(onPath, 'nats-server');
    writeFileSync(own, '');
    chmodSync(own, 0o755);
    expect(await find(fails)).toBe(own);
  });

  it('is otherwise downloaded once, from the first source that works', async () => {
    const fetched = await find(fails, works);
    expect(await find(works)).toBe(fetched);
    expect(fetches).toBe(1);
    expect(readFileSync(fetched, 'utf8')).toBe('program');
    expect(statSync(fetched).mode & 0o111).toBe(0o111);
    expect(readdirSync(cacheDir)).toEqual(['nats-server']);
  });

  it('explains how to install one if all sources fail, and leaves no incomplete file', async () => {
    await expect(find(fails, fails)).rejects.toThrow(StartProblem);
    await expect(find(fails)).rejects.toThrow(/install it .*apt install nats-server.*NATS_URL/);
    expect(readdirSync(cacheDir)).toEqual([]);
  });
});
