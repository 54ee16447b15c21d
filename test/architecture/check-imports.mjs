// Checks the import rules of the repository: `npm run check:imports`. Only the imports of a file matter, and not the rest of its
// text, so the same imports are not checked twice.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { SourceGraph, sha256 } from '../../deploy/build/source-graph.mjs';
import { violationsIn } from './cruise.mjs';

const ROOT = path.resolve(import.meta.dirname, '../..');
const CLEAN_RUN = path.join(ROOT, '.wireit/imports');
const RULES = /^(test\/architecture\/|package\.json$|tsconfig\.json$)/;

const graph = new SourceGraph(ROOT);
const imports = graph.files.map((file) => `${file} ${RULES.test(file) ? graph.hash(file) : graph.specifiersOf(file)}`);
const key = sha256(imports.join('\n'));
if (key !== cleanRun()) {
  const violations = await violationsIn(ROOT);
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
