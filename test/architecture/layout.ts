/** The role of a file is the last part of its name. A file without a role holds plain functions and has their name. */
const ROLES = [
  'adapter',
  'body',
  'command',
  'commands',
  'config',
  'controller',
  'decorator',
  'engine',
  'entity',
  'events',
  'filter',
  'fixture',
  'fixtures',
  'guard',
  'hook',
  'indicator',
  'interceptor',
  'metrics',
  'middleware',
  'module',
  'pipe',
  'port',
  'provider',
  'query',
  'relay',
  'repository',
  'row',
  'rpc',
  'rpc-filter',
  'server',
  'service',
  'store',
  'token',
  'use-case',
  'view',
  'worker',
];

const KEBAB = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const MIGRATION = /^\d{8}T\d{4}-[a-z0-9]+(-[a-z0-9]+)*$/;
/** `job.view.spec.ts` tests `job.view.ts`; `jobs.cancel.e2e-spec.ts` tests one behaviour of a resource; an `image-spec` needs a built image. */
const SPEC = /(\.spec|(\.[a-z-]+)?\.e2e-spec|\.image-spec)(?=\.ts$)/;
/** Names that fit any content, so that they say nothing about it. */
const DRAWER = /(^|-)(utils?|helpers?|common|managers?|misc)($|-)|^(types|interfaces|services|dtos?)$/;
/** The public index of a library is the only index.ts. */
const FACE = /^libs\/[^/]+\/src\/index\.ts$/;

/** The problems of a TypeScript file's name, one sentence each. The path is relative to the root. */
export function namingProblems(file: string): string[] {
  const folders = file.split('/');
  const [stem = '', ...roles] = (folders.pop() ?? '').replace(SPEC, '').replace(/\.ts$/, '').split('.');
  const named = [...folders, stem];
  const isMigration = folders.at(-1) === 'migrations' && MIGRATION.test(stem);
  return [
    ...named
      .filter((name) => !KEBAB.test(name) && !(name === stem && isMigration))
      .map((name) => `${file}: ${name} is not kebab-case: write it in lower case, with hyphens.`),
    ...named
      .filter((name) => DRAWER.test(name))
      .map((name) => `${file}: ${name} does not say what the file holds: name the file after its content.`),
    ...roles
      .filter((role) => !ROLES.includes(role))
      .map((role) => `${file}: ${role} is no role: leave it out, or use a role of test/architecture/layout.ts.`),
    ...(stem === 'index' && !FACE.test(file) ? [`${file}: only a library has an index: import the file itself.`] : []),
  ];
}

/** Verbs of use cases that only read: their file is a query. A `verify` may cache its result. */
export const READING = /^(?:get|list|find|show|check|quote|resolve|examine|replay)-/;
const CONTEXT = /^apps\/(?:jobs|billing|moderation|catalog|webhook-dispatcher)\/src\//;
const LOOP = /\bnew WorkLoop\(/;

/** The problems of a file's place, one sentence each. The path is relative to the root; the text is read too. */
export function layoutProblems(file: string, text: string): string[] {
  const folders = file.split('/');
  const name = folders.pop() ?? '';
  const [folder = '', parent = ''] = [folders.at(-1), folders.at(-2)];
  const problems: string[] = [];
  if (CONTEXT.test(file) && name.endsWith('.controller.ts') && folder !== 'src' && parent !== 'src')
    problems.push('move it to src, or to the folder of its feature: controllers are the public API of a context');
  if (parent === 'use-cases' && READING.test(folder) && name.startsWith(`${folder}.use-case.`))
    problems.push(`call it ${folder}.query.ts: it only reads`);
  if (
    parent === 'use-cases' &&
    !READING.test(folder) &&
    !folder.startsWith('verify-') &&
    name.startsWith(`${folder}.query.`)
  )
    problems.push(`call it ${folder}.use-case.ts, or name the folder with a verb that reads`);
  if (CONTEXT.test(file) && LOOP.test(text) && !folders.includes('background'))
    problems.push('move it to background: it runs a loop');
  return problems.map((problem) => `${file}: ${problem}.`);
}
