import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { staleFiles, writeFiles } from './generators';

describe('generated files', () => {
  let checkout: string;

  beforeEach(async () => {
    checkout = await mkdtemp(path.join(tmpdir(), 'kinora-generated-'));
  });

  afterEach(() => rm(checkout, { recursive: true, force: true }));

  it('are stale where they are missing or differ, until they are written', async () => {
    const generated = { 'docs/same.md': 'one\n', 'docs/changed.md': 'two\n', 'new/missing.json': '{}\n' };
    await writeFiles({ 'docs/same.md': 'one\n', 'docs/changed.md': 'two\n' }, checkout);
    await writeFile(path.join(checkout, 'docs/changed.md'), 'two, edited\n');
    expect(await staleFiles(generated, checkout)).toEqual(['docs/changed.md', 'new/missing.json']);
    await writeFiles(generated, checkout);
    expect(await staleFiles(generated, checkout)).toEqual([]);
    expect(await readFile(path.join(checkout, 'new/missing.json'), 'utf8')).toBe('{}\n');
  });
});
