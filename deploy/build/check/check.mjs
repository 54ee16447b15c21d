// Static checks of the code: `npm run check`, or some steps of it: `npm run check -- lint types`. All steps run, so that one
// run reports every problem. `--changed` checks only what is affected by changes since the branch began; `--fresh` ignores all
// caches.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Passed } from './passed.mjs';
import { SourceGraph, sha256 } from '../source-graph.mjs';
import { STEPS, compare, inputsOf } from './steps.mjs';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const PROGRAM = /\.(tsx?|mjs|cjs|js)$/;
const OPTIONS = ['--changed', '--fresh'];

const asked = process.argv.slice(2).filter((name) => !OPTIONS.includes(name));
const [onlyChanged, isFresh] = OPTIONS.map((option) => process.argv.includes(option));
const unknown = asked.filter((name) => !Object.hasOwn(STEPS, name));
if (unknown.length > 0) {
  console.error(`There is no step ${unknown.join(', ')}: the steps are ${Object.keys(STEPS).join(', ')}.`);
  process.exit(1);
}
const graph = new SourceGraph(ROOT);
const passed = new Passed(ROOT, 'steps');
const changed = onlyChanged ? changedFiles() : null;
const failed = [];
const plans = (asked.length > 0 ? asked : Object.keys(STEPS)).flatMap((name) => planOf(name) ?? []);
const comparedTogether = await compareTogether(plans.filter(({ name, isKnown }) => STEPS[name].generators && !isKnown));
for (const { name, command, key, isKnown } of plans) {
  const startedAt = performance.now();
  const isCompared = comparedTogether.has(name);
  const { exitCode, output } = isKnown || isCompared ? { exitCode: 0 } : await run(command);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const note = isKnown ? ' (unchanged)' : isCompared ? ' (in one process)' : '';
  console.log(`${exitCode === 0 ? 'ok    ' : 'FAILED'}  ${name.padEnd(12)}${seconds.padStart(6)} s${note}`);
  if (exitCode === 0) {
    if (key !== null && !isKnown) passed.add([key]);
    continue;
  }
  failed.push(name);
  console.log(output.trimEnd().replaceAll(/^/gm, '        '));
}
console.log(failed.length === 0 ? 'Nothing to complain about.' : `Failed: ${failed.join(', ')}.`);
process.exitCode = failed.length === 0 ? 0 : 1;

/** What a step runs, and whether its inputs have passed before; null if it has nothing to do. */
function planOf(name) {
  const inputs = inputsOf(STEPS[name], graph);
  const command = commandOf(STEPS[name], inputs);
  if (command === null) return null;
  const key = inputs && keyOf(name, inputs);
  return { name, command, key, isKnown: key !== null && !isFresh && passed.has(key) };
}

/** The names of the steps that one process has passed. Where it fails, each step runs alone, so that its errors have its name. */
async function compareTogether(comparisons) {
  if (comparisons.length < 2) return new Set();
  const startedAt = performance.now();
  const { exitCode } = await run(compare(comparisons.flatMap(({ name }) => STEPS[name].generators)));
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(`Generated files compared in one process: ${seconds} s`);
  return new Set(exitCode === 0 ? comparisons.map(({ name }) => name) : []);
}

/** Null if no changed file affects the step. */
function commandOf(step, inputs) {
  if (changed === null) return isFresh ? (step.fresh ?? step.command) : step.command;
  const existing = changed.filter((file) => existsSync(path.join(ROOT, file)));
  // The importers of a deleted file are no longer known, so everything is checked.
  const isConcerned = existing.length < changed.length || inputs === null || existing.some((file) => inputs.has(file));
  if (changed.length === 0 || !isConcerned) return null;
  if (!step.changed) return step.command;
  const programs = [...graph.dependentsOf(existing)].filter((file) => PROGRAM.test(file));
  const files = step === STEPS.lint ? programs : existing;
  return files.length === 0 ? null : step.changed(existing, programs);
}

function keyOf(name, inputs) {
  const lock = path.join(ROOT, 'package-lock.json');
  const tools = existsSync(lock) ? graph.hashOf([]) + sha256(readFileSync(lock, 'utf8')) : '';
  const contents = STEPS[name].importsOnly
    ? [...inputs].sort().map((file) => `${file} ${PROGRAM.test(file) ? importLines(file) : graph.hash(file)}`)
    : [graph.hashOf(inputs)];
  return sha256([name, STEPS[name].command.join(' '), tools, ...contents].join('\n'));
}

/** The part of a program that decides which files it imports. The import rules are also an input, and count in full. */
function importLines(file) {
  if (file.startsWith('test/architecture/') || file.startsWith('deploy/build/check/')) return graph.hash(file);
  return graph.specifiersOf(file).join(' ');
}

/** Files changed since the branch left main, committed or not. */
function changedFiles() {
  const git = (...args) =>
    execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  const base = ['origin/main', 'main', 'HEAD'].map((branch) => {
    try {
      return git('merge-base', branch, 'HEAD').trim();
    } catch {
      return null;
    }
  });
  const since = git(
    'diff',
    '--name-only',
    base.find((commit) => commit !== null),
  );
  const untracked = git('ls-files', '--others', '--exclude-standard');
  return [...new Set(`${since}${untracked}`.split('\n').filter((file) => file !== ''))];
}

function run([program, ...args]) {
  const tools = path.join(ROOT, 'node_modules/.bin');
  const env = { ...process.env, PATH: `${tools}${path.delimiter}${process.env.PATH}` };
  const child = spawn(program, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (exitCode) => resolve({ exitCode, output }));
  });
}
