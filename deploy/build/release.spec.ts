import { execFile, execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ThrowawayCopy } from '../../test/mutations/throwaway-copy';

interface Outcome {
  exitCode: number | null;
  output: string;
}

const VERSION = (JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }).version;
const NEXT = VERSION.replace(/\.(\d+)\.\d+$/, (_, minor: string) => `.${Number(minor) + 1}.0`);
const IDENTITY = ['-c', 'user.name=spec', '-c', 'user.email=spec@example.com'];

describe('release', () => {
  let copy: ThrowawayCopy;

  beforeAll(async () => {
    copy = await ThrowawayCopy.make();
    git('init', '--quiet');
    commit();
  });

  afterAll(() => copy.remove());

  it.each([
    ['a name that is no version', ['next'], 'named X.Y.Z'],
    ['a version that does not follow', [VERSION], `does not follow ${VERSION}`],
  ])('is refused for %s', async (_, args, because) => {
    expect(await release(...args)).toEqual({ exitCode: 1, output: expect.stringContaining(because) });
  });

  it('is refused while there are uncommitted changes', async () => {
    await writeFile(path.join(copy.folder, 'draft.txt'), '');
    expect(await release(NEXT)).toEqual({ exitCode: 1, output: expect.stringContaining('?? draft.txt') });
    await rm(path.join(copy.folder, 'draft.txt'));
  });

  it('stores the current contracts for the comparison with the next release, and changes the version everywhere', async () => {
    // Simulates a contract that gained a subject since the previous release.
    const released = JSON.parse(await read('test/contract/released/catalog.json')) as { subjects: object };
    const [newest = ''] = Object.keys(released.subjects);
    delete (released.subjects as Record<string, unknown>)[newest];
    await writeFile(path.join(copy.folder, 'test/contract/released/catalog.json'), JSON.stringify(released));
    const upgrade = path.join(copy.folder, 'docs/operate/upgrades/unreleased.md');
    const [introduction = ''] = (await readFile(upgrade, 'utf8')).split('Nothing so far');
    await writeFile(upgrade, `${introduction}- **Keys.** Something to do.\n`);
    commit();
    expect(await release(NEXT)).toEqual({ exitCode: 0, output: expect.stringContaining('Next: ') });
    for (const context of ['billing', 'catalog', 'jobs', 'moderation', 'webhooks']) {
      expect(await read(`test/contract/released/${context}.json`)).toBe(
        await read(`test/contract/golden/${context}.json`),
      );
    }
    expect(JSON.parse(await read('package.json'))).toMatchObject({ version: NEXT });
    expect(JSON.parse(await read('package-lock.json'))).toMatchObject({
      version: NEXT,
      packages: { '': { version: NEXT } },
    });
    const was = VERSION.replaceAll('.', '\\.');
    const named = `kinora:${was}|image\\.tag=${was}|^(appVersion|version): ${was}`;
    const left = git('grep', '-lE', named, '--', 'deploy', 'docs', 'test');
    expect(left).toBe('');
    const page = await read(`docs/operate/upgrades/${NEXT}.md`);
    expect(page).toContain(`# Upgrade to ${NEXT}\n`);
    expect(page).toContain('- **Keys.** Something to do.');
    expect(await read('docs/operate/upgrades/unreleased.md')).toMatch(
      /^# Upgrade to the next release\n[^]*Nothing so far/,
    );
    expect(await read('docs/operate/upgrade.md')).toContain(`[${NEXT}](upgrades/${NEXT}.md)`);
  }, 240_000);

  const read = (file: string): Promise<string> => readFile(path.join(copy.folder, file), 'utf8');

  function commit(): void {
    git('add', '--all');
    git(...IDENTITY, 'commit', '--quiet', '--message', 'As it is');
  }

  /** Git's output; empty if it finds nothing. */
  function git(...args: string[]): string {
    try {
      return execFileSync('git', args, { cwd: copy.folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    } catch (error) {
      if (args[0] === 'grep') return '';
      throw error;
    }
  }

  function release(...args: string[]): Promise<Outcome> {
    return new Promise((resolve) => {
      const command = ['deploy/build/release.mjs', ...args];
      const child = execFile(process.execPath, command, { cwd: copy.folder }, (_, output, problem) =>
        resolve({ exitCode: child.exitCode, output: output + problem }),
      );
    });
  }
});
