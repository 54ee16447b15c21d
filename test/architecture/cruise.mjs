// Prints as JSON the names of the import rules and the violations in each given tree. It is a process of its own, because jest
// cannot load ES modules.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { cruise } from 'dependency-cruiser';
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config';
import config from './dependency-cruiser.cjs';
import { FOLDER_RULE } from './folder-cycles.mjs';
import { importViolations } from './import-report.mjs';

const { options, ...ruleSet } = config;
const violations = [];
for (const root of process.argv.slice(2)) violations.push(await violationsIn(root));
process.stdout.write(
  JSON.stringify({ rules: [...ruleSet.forbidden, FOLDER_RULE].map(({ name }) => name), violations }),
);

async function violationsIn(root) {
  const tsConfig = path.join(root, 'tsconfig.json');
  const folders = ['apps', 'libs', 'deploy', 'test'].filter((folder) => existsSync(path.join(root, folder)));
  const { output } = await cruise(
    folders,
    { ...options, ruleSet, validate: true, baseDir: root, tsConfig: { fileName: tsConfig } },
    {},
    { tsConfig: extractTSConfig(tsConfig) },
  );
  return importViolations(output).map(({ rule, from, to }) => ({ rule, from, to }));
}
