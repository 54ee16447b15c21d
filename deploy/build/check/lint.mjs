// Lints the files that have not passed yet with their current types: `node deploy/build/check/lint.mjs [--fresh] [files…]`.
// ESLint's own cache considers each file alone, but typed rules also depend on what the file imports.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ESLint } from 'eslint';
import { Passed } from './passed.mjs';
import { SourceGraph, sha256 } from '../source-graph.mjs';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const LINTED = /\.(tsx?|mjs|cjs|js)$/;
const TOOLS = ['package-lock.json', 'eslint.config.mjs', 'tsconfig.json', 'apps/console/web/tsconfig.json'];

const args = process.argv.slice(2);
const asked = args.filter((arg) => arg !== '--fresh');
const graph = new SourceGraph(ROOT);
const passed = new Passed(ROOT, 'lint');
const tools = sha256(TOOLS.map((file) => readFileSync(path.join(ROOT, file), 'utf8')).join('\n'));
// Declaration files without imports affect every file.
const ambient = graph.hashOf(graph.files.filter((file) => file.endsWith('.d.ts')));
const keyOf = (file) => sha256(`${tools} ${ambient} ${file} ${graph.keyOf(file)}`);

const eslint = new ESLint({ cwd: ROOT });
const candidates = graph.files.filter((file) => LINTED.test(file) && (asked.length === 0 || asked.includes(file)));
const linted = [];
for (const file of candidates) if (!(await eslint.isPathIgnored(path.join(ROOT, file)))) linted.push(file);
const stale = args.includes('--fresh') ? linted : linted.filter((file) => !passed.has(keyOf(file)));
const results = stale.length === 0 ? [] : await eslint.lintFiles(stale);
const { format } = await eslint.loadFormatter('stylish');
const output = await format(results);
if (output) console.log(output);
const clean = results.filter(({ errorCount, warningCount }) => errorCount + warningCount === 0);
passed.add(clean.map(({ filePath }) => keyOf(path.relative(ROOT, filePath))));
process.exitCode = results.some(({ errorCount }) => errorCount > 0) ? 1 : 0;
