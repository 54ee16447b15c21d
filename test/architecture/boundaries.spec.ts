import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { IMPORT_FIXTURES } from './import-rules.fixtures';
import { IMPORT_FORMS, importTree, plantTree, type Side, type Tree } from './planted-tree';

interface Violation {
  rule: string;
  from: string;
  to: string;
}

const FORMS = Object.keys(IMPORT_FORMS) as (keyof typeof IMPORT_FORMS)[];

/** The only rule that a missing import breaks. */
const DEAD_FILE: Record<Side, Tree> = {
  refused: { 'apps/jobs/src/main.ts': 'export {};', 'apps/jobs/src/job/job-status.ts': 'export {};' },
  allowed: { 'apps/jobs/src/main.ts': "import './job/job-status';", 'apps/jobs/src/job/job-status.ts': 'export {};' },
};
const SIDES: Side[] = ['refused', 'allowed'];

describe('import rules', () => {
  let folder: string;
  let rules: string[];
  const broken = new Map<string, Violation[]>();

  const folderOf = (side: Side, ...planted: (number | string)[]) => path.join(folder, [side, ...planted].join(' '));
  const rulesBroken = (side: Side, ...planted: (number | string)[]) =>
    broken.get(folderOf(side, ...planted))?.map(({ rule }) => rule);
  /** Nothing imports the importer of a fixture. */
  const otherRulesBroken = (...planted: [Side, number, string]) =>
    rulesBroken(...planted)?.filter((rule) => rule !== 'no-dead-file');
  const inEveryForm = <Of>(of: (form: string) => Of) => Object.fromEntries(FORMS.map((form) => [form, of(form)]));

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'kinora-import-rules-'));
    for (const side of SIDES) {
      await plantTree(folderOf(side, 'dead file'), DEAD_FILE[side]);
      for (const [index, fixture] of IMPORT_FIXTURES.entries()) {
        for (const form of FORMS) await plantTree(folderOf(side, index, form), importTree(fixture, side, form));
      }
    }
    const trees = (await readdir(folder)).map((tree) => path.join(folder, tree));
    const { stdout } = await promisify(execFile)(process.execPath, [path.join(__dirname, 'cruise.mjs'), ...trees]);
    const answer = JSON.parse(stdout) as { rules: string[]; violations: Violation[][] };
    rules = answer.rules;
    trees.forEach((tree, index) => broken.set(tree, answer.violations[index] ?? []));
  }, 600_000);

  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('each have a fixture', () => {
    const planted = IMPORT_FIXTURES.map(({ rule }) => rule);
    expect(new Set([...planted, 'no-dead-file'])).toEqual(new Set(rules));
  });

  it.each(IMPORT_FIXTURES.map((fixture, index) => ({ ...fixture, index })))(
    '$rule: $importer may not import $refused in any form, and may import $allowed',
    ({ rule, index }) => {
      expect(inEveryForm((form) => otherRulesBroken('refused', index, form))).toEqual(inEveryForm(() => [rule]));
      expect(inEveryForm((form) => otherRulesBroken('allowed', index, form))).toEqual(inEveryForm(() => []));
    },
  );

  it('no-dead-file: a file that main.ts does not reach is dead, a file that it reaches is not', () => {
    expect(rulesBroken('refused', 'dead file')).toEqual(['no-dead-file']);
    expect(rulesBroken('allowed', 'dead file')).toEqual([]);
  });
});
