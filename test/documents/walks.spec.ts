import { execFile } from 'node:child_process';
import { cp, readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { ThrowawayCopy } from '../mutations/throwaway-copy';
import { blocksIn } from '../support/guide-steps';
import { ROOT } from '../../deploy/build/source-files';
import { type Walk, applySnippet, walksOf } from './walk';

const GUIDE = 'docs/contribute/README.md';
/** The most files by hand that each kind of change may take. */
const MOST_FILES: Record<string, number> = {
  'A field of an account': 5,
  'A column and field of a job': 5,
  'An endpoint': 4,
  'A provider': 6,
};
const SPEC = /\.(?:spec|fixtures)\.ts$|^test\/e2e\//;
/** Each walk compiles the whole tree. */
const TIMEOUT_MS = 600_000;
const run = promisify(execFile);

describe('walks of the guide', () => {
  let copy: ThrowawayCopy;
  let walks: Map<string, Walk>;

  beforeAll(async () => {
    const page = await readFile(path.join(ROOT, GUIDE), 'utf8');
    walks = new Map(walksOf(page, blocksIn).map((walk) => [walk.title, walk]));
    copy = await ThrowawayCopy.make();
    // What the compiler remembers of the tree lets it read only what a walk changes.
    await cp(path.join(ROOT, 'dist/.tsbuildinfo'), path.join(copy.folder, 'dist/.tsbuildinfo')).catch(() => undefined);
    await git('init', '--quiet');
    await commit('Before');
  });

  afterEach(async () => {
    await git('reset', '--quiet', '--hard');
    await git('clean', '--quiet', '--force', '-d');
  });

  afterAll(() => copy.remove());

  it('are those that have a bound', () => {
    expect([...walks.keys()]).toEqual(Object.keys(MOST_FILES));
  });

  it.each(Object.entries(MOST_FILES))(
    '%s works as it stands, and takes as many files as it says',
    async (title, most) => {
      const { blocks, filesByHand } = walks.get(title) as Walk;
      const edited = new Set<string>();
      for (const block of blocks)
        if (block.language === 'sh') (await runLines(block.code)).forEach((file) => edited.add(file));
        else {
          edited.add(await applySnippet(copy.folder, block));
        }
      const byHand = [...edited].filter((file) => !SPEC.test(file));
      expect({ count: byHand.length, byHand }).toEqual({ count: filesByHand, byHand });
      expect(filesByHand).toBeLessThanOrEqual(most);
    },
    TIMEOUT_MS,
  );

  /** Runs commands as a reader would. @returns the files that the commands wrote for a reader to edit */
  async function runLines(code: string): Promise<string[]> {
    const written: string[] = [];
    for (const line of code.trimEnd().split('\n')) {
      const before = await newFiles();
      await run('bash', ['-c', line], { cwd: copy.folder, env: environment(), maxBuffer: 16 * 1024 * 1024 }).catch(
        explain,
      );
      if (line.startsWith('npm run new:')) written.push(...(await newFiles()).filter((file) => !before.includes(file)));
    }
    return written;
  }

  /** A generator also registers what it writes, which a reader need not edit. */
  async function newFiles(): Promise<string[]> {
    const files = await git('ls-files', '--others', '--exclude-standard');
    return files.split('\n').filter((file) => file !== '');
  }

  async function commit(subject: string): Promise<void> {
    await git('add', '--all');
    await git('-c', 'user.name=walks', '-c', 'user.email=walks@example.com', 'commit', '--quiet', '--message', subject);
  }

  async function git(...args: string[]): Promise<string> {
    const { stdout } = await run('git', args, { cwd: copy.folder, maxBuffer: 16 * 1024 * 1024 });
    return stdout;
  }
});

/** Tools find what they need from the folder that they run in, as in a terminal. */
function environment(): NodeJS.ProcessEnv {
  const tools = path.join(ROOT, 'node_modules/.bin');
  return { ...process.env, PATH: `${tools}${path.delimiter}${process.env['PATH']}` };
}

/** What a tool has found it prints, and the error of a child process holds that beside its message. */
function explain({ message, stdout = '' }: Error & { stdout?: string }): never {
  throw new Error(`${message}\n${stdout}`);
}
