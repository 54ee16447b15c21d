import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { blocksIn } from '../support/guide-steps';
import { applySnippet, walksOf } from './walk';

const PAGE = `# Guide

## A crane

_A crane._ **2 files by hand**, and a spec.

1. A new file:

   \`\`\`ts harbour/crane.ts
   export const crane = 1;
   \`\`\`

   \`\`\`sh
   npm test
   \`\`\`

## House rules

None.
`;

describe('walk', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'kinora-walk-'));
    await writeFile(path.join(folder, 'quay.ts'), 'const a = 1;\n\nconst b = 2;\nconst c = 3;\nconst b2 = 2;\n');
  });

  afterEach(() => rm(folder, { recursive: true }));

  const apply = (code: string) => applySnippet(folder, { language: 'diff', place: 'quay.ts', code });
  const quay = () => readFile(path.join(folder, 'quay.ts'), 'utf8');

  it('is a section that counts its files, with the files that it writes and the commands that it runs', () => {
    expect(walksOf(PAGE, blocksIn)).toEqual([
      {
        title: 'A crane',
        filesByHand: 2,
        blocks: [
          { language: 'ts', place: 'harbour/crane.ts', code: 'export const crane = 1;\n' },
          { language: 'sh', place: null, code: 'npm test\n' },
        ],
      },
    ]);
  });

  it('writes a new file, and never overwrites one', async () => {
    const file = { language: 'ts', place: 'harbour/crane.ts', code: 'export const crane = 1;\n' };
    await applySnippet(folder, file);
    expect(await readFile(path.join(folder, file.place), 'utf8')).toBe(file.code);
    await expect(applySnippet(folder, file)).rejects.toThrow('EEXIST');
  });

  it('changes a file by its lines, also at its beginning', async () => {
    await apply(' const a = 1;\n+const a2 = 1;\n@@\n-const c = 3;\n+const c = 4;\n');
    expect(await quay()).toBe('const a = 1;\nconst a2 = 1;\n\nconst b = 2;\nconst c = 4;\nconst b2 = 2;\n');
  });

  it.each([
    ['are gone', '-const d = 4;\n'],
    ['are only the beginning of other lines', '-const b\n'],
    ['are no longer consecutive', ' const a = 1;\n const b = 2;\n'],
  ])('fails where its lines %s', async (_, diff) => {
    await expect(apply(diff)).rejects.toThrow('do not stand in quay.ts exactly once');
  });

  it('fails where its lines occur twice', async () => {
    await writeFile(path.join(folder, 'quay.ts'), 'a\nb\na\n');
    await expect(apply(' a\n+c\n')).rejects.toThrow('exactly once');
  });
});
