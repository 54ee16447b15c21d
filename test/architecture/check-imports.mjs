// Checks the import rules of the repository: `npm run check:imports`. Only the imports of a file matter, and not the rest of its
// text, so the same imports are not checked twice.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { cruise } from 'dependency-cruiser';
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config';
import { SourceGraph, sha256 } from '../../deploy/build/source-graph.mjs';
import config from './dependency-cruiser.cjs';
import { folderCycles } from './folder-cycles.mjs';

const { options, ...ruleSet } = config;
const ROOT = path.resolve(import.meta.dirname, '../..');
const CLEAN_RUN = path.join(ROOT, '.wireit/imports');
const RULES = /^(test\/architecture\/|package\.json$|tsconfig\.json$)/;

const graph = new SourceGraph(ROOT);
const imports = graph.files.map((file) => `${file} ${RULES.test(file) ? graph.hash(file) : graph.specifiersOf(file)}`);
const key = sha256(imports.join('\n'));
if (key !== cleanRun()) {
  const violations = await findViolations();
  for (const { rule, from, to, example, comment } of violations) {
    console.log([`${rule}: ${from} → ${to}`, ...(example ? [example] : []), comment].join('\n    '));
  }
  process.exitCode = violations.length > 0 ? 1 : 0;
  if (violations.length === 0) {
    mkdirSync(path.dirname(CLEAN_RUN), { recursive: true });
    writeFileSync(CLEAN_RUN, key);
  }
}

function cleanRun() {
  try {
    return readFileSync(CLEAN_RUN, 'utf8');
  } catch {
    return null;
  }
}

/** @returns {Promise<{ rule: string, from: string, to: string, example?: string, comment: string }[]>} */
async function findViolations() {
  // Without a baseUrl, aliases are resolved from the current folder.
  process.chdir(ROOT);
  const tsConfig = path.join(ROOT, 'tsconfig.json');
  const { output } = await cruise(
    ['apps', 'libs', 'deploy', 'test'],
    { ...options, ruleSet, validate: true, baseDir: ROOT, tsConfig: { fileName: tsConfig } },
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
