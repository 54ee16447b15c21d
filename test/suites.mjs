// Which spec files a run has: a suite by its name, a context or a path, or what the uncommitted and the branch's changes reach.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { SourceGraph } from '../deploy/build/source-graph.mjs';

export const ROOT = path.resolve(import.meta.dirname, '..');
const SPEC = /\.(e2e-)?spec\.ts$/;
/** Clusters and images have commands of their own, which need more than Node. */
const ELSEWHERE = /^test\/(cluster|docker\/compose)\//;

/** A spec belongs to the first suite that matches its path. */
const SUITES = {
  /** Large tables, swaps beside a writer, and what else is measured in elapsed time: its files run one after another. */
  nightly:
    /(\/(million|thousands|swapping)-[\w-]+\.|^test\/helm\/chart\.|^test\/e2e\/(event-loop|estimates|gpu-utilisation)\.e2e-)spec\.ts$/,
  browser: /^test\/console\//,
  faults: /^test\/faults\//,
  smoke:
    /^test\/e2e\/(jobs\.main-flow|jobs\.videos|nemesis|openai-clients|our-clients|rules|ai-sdk-provider|quotes-and-receipts)\./,
  stacks: /^test\/e2e\//,
  satellites: /^(apps\/(console\/web|mcp|sandbox)|libs\/(ai-sdk-provider|sdk-typescript)|test\/bench)\//,
  repository: /^(deploy\/build|test\/(architecture|broker|documents|docker|helm|openapi|support|telemetry))\//,
  unit: /^/,
};
/** What a change has to pass before it is offered, what continuous integration runs, and what a release or a night runs;
 * and which suites have the specs of a path or of a change. */
const GROUPS = {
  default: ['unit', 'smoke'],
  ci: Object.keys(SUITES).filter((name) => name !== 'nightly'),
  all: Object.keys(SUITES),
  reached: ['unit', 'repository', 'satellites'],
};
/** What imports do not show: the specs that read the files of the left. */
const READERS = [
  [/\.(ya?ml|tpl)$|^deploy\/helm\//, /^test\/(helm|broker|telemetry)\//],
  [/\.md$/, /^test\/documents\//],
  [/\/migrations\/|\.entity\.ts$/, /^test\/(entities|migrations)\//],
  [/^libs\/contracts\/|\.controller\.ts$/, /^test\/(contract|openapi)\//],
  [/^(deploy\/docker|package\.json)/, /^test\/(docker|architecture)\//],
  [/^apps\/moderation\/assets\//, /^apps\/moderation\//],
  [/^libs\/compute\/assets\//, /^libs\/compute\//],
];

/** The suites of a run, each with its files, in the order in which they run. */
export function chooseSuites(words) {
  const specs = listSpecs();
  const suiteOf = (file) => Object.keys(SUITES).find((name) => SUITES[name].test(file));
  const named = words.filter((word) => GROUPS[word] || Object.hasOwn(SUITES, word));
  const others = words.filter((word) => !named.includes(word));
  let chosen = specs;
  if (others.includes('--changed')) chosen = reachedByChanges(specs);
  else if (others.length > 0) chosen = specs.filter((file) => others.some((word) => belongsTo(word)(file)));
  const isFile = others.length > 0 && others.every((word) => specs.includes(word));
  const groups = named.length > 0 ? named : [isFile ? 'all' : others.length > 0 ? 'reached' : 'default'];
  const wanted = groups.flatMap((name) => GROUPS[name] ?? [name]);
  const suites = Object.keys(SUITES)
    .reverse()
    .filter((name) => wanted.includes(name));
  return suites
    .map((name) => ({ name, files: chosen.filter((file) => suiteOf(file) === name) }))
    .filter(({ files }) => files.length > 0);
}

function listSpecs() {
  return ['apps', 'libs', 'deploy', 'test']
    .filter((folder) => existsSync(path.join(ROOT, folder)))
    .flatMap((folder) =>
      readdirSync(path.join(ROOT, folder), { recursive: true }).map((file) => path.join(folder, file)),
    )
    .filter((file) => SPEC.test(file) && !ELSEWHERE.test(file) && !file.includes('node_modules'))
    .sort();
}

/** A context with the libraries that its code imports, or a part of a path. */
function belongsTo(word) {
  if (word.includes('/') || !existsSync(path.join(ROOT, 'apps', word))) return (file) => file.includes(word);
  const reached = [...new SourceGraph(ROOT).closure(new RegExp(`^apps/${word}/src/`))];
  const folders = new Set([`apps/${word}`, ...reached.map((file) => file.split('/').slice(0, 2).join('/'))]);
  return (file) => folders.has(file.split('/').slice(0, 2).join('/')) && /^(apps|libs)\//.test(file);
}

function reachedByChanges(specs) {
  const git = (...args) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' });
  const base = git('merge-base', 'HEAD', git('branch', '--list', 'main') ? 'main' : 'HEAD').trim();
  const changed = (git('diff', '--name-only', base) + git('ls-files', '--others', '--exclude-standard'))
    .split('\n')
    .filter((file) => file !== '');
  const reached = new SourceGraph(ROOT).dependentsOf(changed);
  const readers = READERS.filter(([read]) => changed.some((file) => read.test(file))).map(([, by]) => by);
  return specs.filter((file) => reached.has(file) || readers.some((by) => by.test(file)));
}
