/** What a file is for stands last in its name; a file without a role holds the plain functions that it is named after. */
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
  'layer',
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
  'subject',
  'token',
  'use-case',
  'view',
  'worker',
];

const KEBAB = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const MIGRATION = /^\d{8}T\d{4}-[a-z0-9]+(-[a-z0-9]+)*$/;
/** `job.view.spec.ts` tests `job.view.ts`; `jobs.cancel.e2e-spec.ts` tests a behaviour of a resource. */
const SPEC = /(\.spec|(\.[a-z-]+)?\.e2e-spec)(?=\.ts$)/;
/** Names of places where everything fits, so that nothing can be found there. */
const DRAWER = /(^|-)(utils?|helpers?|common|managers?|misc)($|-)|^(types|interfaces|services|dtos?)$/;
/** The face of a library is the only index. */
const FACE = /^libs\/[^/]+\/src\/index\.ts$/;

/** What is wrong with the name of a TypeScript file, given by its path from the root, a sentence each. */
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
      .map((name) => `${file}: ${name} names a drawer, not a thing: say what the file holds.`),
    ...roles
      .filter((role) => !ROLES.includes(role))
      .map((role) => `${file}: ${role} is no role: leave it out, or take one of test/architecture/file-naming.ts.`),
    ...(stem === 'index' && !FACE.test(file) ? [`${file}: only a library has a face: import the file itself.`] : []),
  ];
}
