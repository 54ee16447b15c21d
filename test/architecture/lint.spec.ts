import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import tsconfig from '../../tsconfig.json';
import { LINT_FIXTURES } from './lint-rules.fixtures';

const ROOT = path.resolve(__dirname, '../..');

type Side = 'refused' | 'allowed';

describe('lint rules', () => {
  let folder: string;
  const broken = new Map<string, string[]>();

  /** One tree holds all fixtures, because ESLint reads the types once per tree. Each fixture has a folder of its own. */
  const fileOf = (index: number, side: Side, file: string) =>
    path.join(path.dirname(file), `${side}-${index}`, path.basename(file));

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'kinora-lint-rules-'));
    const { compilerOptions } = tsconfig;
    await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['apps', 'libs'] }));
    await symlink(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
    for (const [index, fixture] of LINT_FIXTURES.entries()) {
      for (const side of ['refused', 'allowed'] as const) {
        const file = path.join(folder, fileOf(index, side, fixture[side].file));
        await mkdir(path.dirname(file), { recursive: true });
        await writeFile(file, fixture[side].source);
      }
    }
    const { stdout } = await promisify(execFile)(process.execPath, [path.join(__dirname, 'lint.mjs'), folder]);
    for (const { file, rules } of JSON.parse(stdout) as { file: string; rules: string[] }[]) broken.set(file, rules);
  }, 120_000);

  afterAll(() => rm(folder, { recursive: true, force: true }));

  it.each(LINT_FIXTURES.map((fixture, index) => ({ ...fixture, index })))(
    '$rule: $because',
    ({ rule, refused, allowed, index }) => {
      expect(broken.get(fileOf(index, 'refused', refused.file))).toContain(rule);
      expect(broken.get(fileOf(index, 'allowed', allowed.file))).toEqual([]);
    },
  );
});
