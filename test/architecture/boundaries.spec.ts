import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { IMPORT_FIXTURES } from './import-rules.fixtures';
import { IMPORT_FORMS, plantTree, type Side } from './planted-tree';

interface Violation {
  rule: string;
  from: string;
  to: string;
}

const ROOT = path.resolve(__dirname, '../..');

const FORMS = Object.keys(IMPORT_FORMS) as (keyof typeof IMPORT_FORMS)[];

describe('import rules', () => {
  let folder: string;
  let rules: string[];
  const broken = new Map<string, Violation[]>();

  const treeOf = (index: number, side: Side, form: string) => path.join(folder, `${index} ${side} ${form}`);
  const rulesBroken = (index: number, side: Side) =>
    Object.fromEntries(FORMS.map((form) => [form, broken.get(treeOf(index, side, form))?.map(({ rule }) => rule)]));
  const inEveryForm = (rules: string[]) => Object.fromEntries(FORMS.map((form) => [form, rules]));

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'kinora-import-rules-'));
    const trees = [ROOT];
    for (const [index, fixture] of IMPORT_FIXTURES.entries()) {
      for (const side of ['refused', 'allowed'] as const) {
        for (const form of FORMS) {
          const tree = treeOf(index, side, form);
          await plantTree(tree, fixture, side, form);
          trees.push(tree);
        }
      }
    }
    const { stdout } = await promisify(execFile)(process.execPath, [path.join(__dirname, 'cruise.mjs'), ...trees]);
    const answer = JSON.parse(stdout) as { rules: string[]; violations: Violation[][] };
    rules = answer.rules;
    trees.forEach((tree, index) => broken.set(tree, answer.violations[index] ?? []));
  }, 120_000);

  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('hold in the whole repository', () => {
    expect(broken.get(ROOT)).toEqual([]);
  });

  it('each have a fixture', () => {
    expect(new Set(IMPORT_FIXTURES.map(({ rule }) => rule))).toEqual(new Set(rules));
  });

  it.each(IMPORT_FIXTURES.map((fixture, index) => ({ ...fixture, index })))(
    '$rule: $importer may not import $refused in any form, and may import $allowed',
    ({ rule, index }) => {
      expect(rulesBroken(index, 'refused')).toEqual(inEveryForm([rule]));
      expect(rulesBroken(index, 'allowed')).toEqual(inEveryForm([]));
    },
  );
});
