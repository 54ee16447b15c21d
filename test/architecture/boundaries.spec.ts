import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { IMPORT_FIXTURES } from './import-rules.fixtures';
import { importTree, plantTree, type Tree } from './planted-tree';

/** The only rule that a missing import breaks. */
const DEAD: Tree = { 'apps/jobs/src/main.ts': 'export {};', 'apps/jobs/src/job/job-status.ts': 'export {};' };
const ALIVE: Tree = { ...DEAD, 'apps/jobs/src/main.ts': "import './job/job-status';" };

// What the rules allow, the repository itself has: `npm run check` cruises it.
describe('import rules', () => {
  let folder: string;
  let rules: string[];
  /** The rules that each fixture breaks, and then those of the dead file and of the one alive. */
  let broken: string[][];

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'kinora-import-rules-'));
    const trees = [...IMPORT_FIXTURES.map(importTree), DEAD, ALIVE];
    const folders = trees.map((_, index) => path.join(folder, String(index)));
    for (const [index, tree] of trees.entries()) await plantTree(path.join(folder, String(index)), tree);
    const { stdout } = await promisify(execFile)(process.execPath, [path.join(__dirname, 'cruise.mjs'), ...folders]);
    const answer = JSON.parse(stdout) as { rules: string[]; violations: { rule: string }[][] };
    rules = answer.rules;
    broken = answer.violations.map((violations) => violations.map(({ rule }) => rule));
  }, 600_000);

  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('each have a fixture', () => {
    expect(new Set([...IMPORT_FIXTURES.map(([rule]) => rule), 'no-dead-file'])).toEqual(new Set(rules));
  });

  it.each(IMPORT_FIXTURES.map(([rule, importer, refused], index) => ({ rule, importer, refused, index })))(
    '$rule: $importer may not import $refused',
    ({ rule, index }) => {
      // Nothing imports the importer of a fixture.
      expect(broken[index]?.filter((name) => name !== 'no-dead-file')).toEqual([rule]);
    },
  );

  it('no-dead-file: a file that main.ts does not reach is dead, a file that it reaches is not', () => {
    expect(broken.slice(IMPORT_FIXTURES.length)).toEqual([['no-dead-file'], []]);
  });
});
