// The violations of the import rules in a tree. Run as a program it prints as JSON the names of all rules and the violations in each
// given tree, because jest cannot load ES modules.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { cruise } from 'dependency-cruiser';
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config';
import config from './dependency-cruiser.cjs';
import { FOLDER_RULE, folderCycles } from './folder-cycles.mjs';

const { options, ...ruleSet } = config;

if (process.argv[1] === import.meta.filename) {
  const violations = [];
  for (const root of process.argv.slice(2)) violations.push(await violationsIn(root));
  const rules = [...ruleSet.forbidden, FOLDER_RULE].map(({ name }) => name);
  process.stdout.write(JSON.stringify({ rules, violations }));
}

/** @returns {Promise<{ rule: string, from: string, to: string, example?: string, comment: string }[]>} */
export async function violationsIn(root) {
  // Without a baseUrl, aliases are resolved from the current folder.
  process.chdir(root);
  const tsConfig = path.join(root, 'tsconfig.json');
  const folders = ['apps', 'libs', 'deploy', 'test'].filter((folder) => existsSync(path.join(root, folder)));
  const { output } = await cruise(
    folders,
    { ...options, ruleSet, validate: true, baseDir: root, tsConfig: { fileName: tsConfig } },
    {},
    { tsConfig: extractTSConfig(tsConfig) },
  );
  const comments = new Map(ruleSet.forbidden.map(({ name, comment }) => [name, comment]));
  return [
    ...output.summary.violations.map(({ rule: { name: rule }, from, to, cycle }) => ({
      rule,
      from,
      to,
      ...(cycle ? { example: [from, ...cycle.map(({ name }) => name)].join(' imports ') } : {}),
      comment: comments.get(rule),
    })),
    ...folderCycles(output.modules),
  ];
}
