// Lints the files that changed since the last clean run, with all that import them: typed rules depend on what a file imports, and
// oxlint has no cache. Arguments are passed to oxlint.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { SourceGraph } from './source-graph.mjs';

const CLEAN_RUN = '.wireit/lint.json';
const LINTED = /\.(tsx?|mjs|cjs|js)$/;
/** A change of these concerns every file: settings, and types that no file imports. */
const SETTINGS = /(^|\/)(tsconfig\.json|oxlint\.config\.mjs|lint-plugin\.mjs|package\.json)$|\.d\.ts$/;
/** oxlint has no setting that refuses them. */
const INLINE_SETTING = /(\/\/|\/\*)\s*oxlint-(dis|en)able/;

const graph = new SourceGraph(process.cwd());
const hashes = Object.fromEntries(graph.files.map((file) => [file, graph.hash(file)]));
const clean = readCleanRun();
const changed = Object.keys({ ...clean, ...hashes }).filter((file) => hashes[file] !== clean?.[file]);
// The importers of a deleted file are no longer known.
const isKnown = clean !== null && changed.every((file) => file in hashes && !SETTINGS.test(file));
const files = isKnown ? [...graph.dependentsOf(changed)].filter((file) => LINTED.test(file)) : [];

const silenced = graph.files.filter((file) => LINTED.test(file) && INLINE_SETTING.test(graph.read(file)));
for (const file of silenced)
  console.error(`${file}: a comment must not change a rule. Change the code, or oxlint.config.mjs.`);
if (files.length > 0 || !isKnown) {
  const options = ['-c', 'oxlint.config.mjs', '--no-error-on-unmatched-pattern'];
  const { status } = spawnSync('node_modules/.bin/oxlint', [...options, ...process.argv.slice(2), ...files], {
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
}
if (silenced.length > 0) process.exitCode = 1;
if (!process.exitCode) {
  mkdirSync('.wireit', { recursive: true });
  writeFileSync(CLEAN_RUN, JSON.stringify(hashes));
}

function readCleanRun() {
  try {
    return JSON.parse(readFileSync(CLEAN_RUN, 'utf8'));
  } catch {
    return null;
  }
}
