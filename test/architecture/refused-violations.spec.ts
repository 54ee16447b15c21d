import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { compilerOptions } from '../../tsconfig.json';
import { ROOT } from '../../deploy/build/source-files';

const CHECKS =
  'check-imports.mjs dependency-cruiser.cjs context-map.cjs wrapped-packages.cjs folder-cycles.mjs lint-plugin.mjs'
    .split(' ')
    .map((file) => `test/architecture/${file}`)
    .concat(
      'package.json',
      'tsconfig.json',
      'oxlint.config.mjs',
      'deploy/build/lint.mjs',
      'deploy/build/source-graph.mjs',
    );
const APPS = ['gateway', 'jobs', 'billing', 'moderation', 'catalog', 'webhook-dispatcher', 'console', 'mcp', 'sandbox'];
const RULES = `require('./test/architecture/dependency-cruiser.cjs').forbidden.map(({ name }) => name).join(' ')`;
const JOBS = 'apps/jobs/src';
interface LintReport {
  diagnostics: { code: string; filename: string }[];
}

/** A rule, a file, an import that the rule refuses there, and what the imported file imports. */
type Import = [rule: string, importer: string, refused: string, back?: string];

const IMPORTS: Import[] = [
  ...APPS.map((app): Import => [
    `context-map-${app}`,
    `apps/${app}/src/${app}.controller.ts`,
    '@kinora/contracts/none/thing',
  ]),
  ['app-not-to-app', `${JOBS}/job/job-price.ts`, '../../../billing/src/wallet/wallet-status'],
  ['lib-not-to-app', 'libs/bus/src/bus.ts', '../../../apps/jobs/src/job/job-status'],
  ['lib-by-its-face', `${JOBS}/job/job-deadline.ts`, '../../../../libs/bus/src/deadline'],
  ['contracts-are-leaf', 'libs/contracts/src/jobs/job.ts', '@nestjs/common'],
  ['client-stands-alone', 'libs/sdk-typescript/src/jobs.ts', 'undici'],
  ['console-half-not-to-half', 'apps/console/src/customer/sign-in.use-case.ts', '../operator/operator-bus'],
  ['compute-only-in-jobs', 'apps/catalog/src/catalog/load-catalog.ts', '@kinora/compute'],
  ['adapter-not-to-adapter', 'libs/compute/src/fal/fal.provider.ts', '../replicate/replicate-prediction'],
  ['use-case-not-to-use-case', `${JOBS}/use-cases/cancel-job.use-case.ts`, './finish-job.use-case'],
  ['migration-stands-alone', 'apps/billing/src/migrations/20261128T1430-baseline.ts', '../wallet/ledger-ranges'],
  ['noun-not-to-use-case', `${JOBS}/job/job.repository.ts`, '../use-cases/cancel-job.use-case'],
  ['controller-not-to-storage', `${JOBS}/reading.controller.ts`, './job/job.repository'],
  ['sql-driver-only-in-database', `${JOBS}/job/job.rows.ts`, 'pg'],
  ['typeorm-only-in-storage', 'apps/billing/src/use-cases/change-account.use-case.ts', 'typeorm'],
  ['nats-only-in-bus', 'libs/service-kit/src/health/nats.indicator.ts', 'nats'],
  ['prom-client-only-in-metrics', 'apps/gateway/src/http/http.metrics.ts', 'prom-client'],
  ['sharp-only-where-pixels-are', 'apps/gateway/src/image-input/image-input.service.ts', 'sharp'],
  ['c2pa-only-in-credentials', 'apps/jobs/src/collecting/output-credentials.ts', '@contentauth/c2pa-wasm'],
  ['containers-only-in-videos', `${JOBS}/collecting/output-intake.ts`, 'mediabunny'],
  ['telemetry-only-in-tracing', 'libs/database/src/database.ts', '@opentelemetry/api'],
  ['web-alone', 'apps/console/web/src/api/client.ts', '@kinora/contracts/jobs/job'],
  ['web-not-in-services', 'apps/console/src/http/web.controller.ts', '../../web/src/api/client'],
  ['browser-packages-only-in-web', 'apps/console/src/http/pages.controller.ts', 'react'],
  ['no-barrel-in-app', `${JOBS}/jobs.module.ts`, './job/index'],
  ['no-circular', `${JOBS}/circle/one.ts`, './other', './one'],
  ['no-folder-cycle', `${JOBS}/lower/rows/lower.ts`, '../../upper/upper', '../lower/other'],
  ['not-to-spec', `${JOBS}/job/job.view.spec.ts`, './job-status.spec'],
  ['not-to-testing', `${JOBS}/job/job.entity.ts`, '@kinora/testing'],
  ['not-to-deploy-or-test', 'apps/cli/src/doctor/doctor.command.ts', '../../../../deploy/local/stack-file'],
  ['no-dev-dependency-in-production', `${JOBS}/job/job-properties.ts`, 'fast-check'],
  ['no-dead-file', `${JOBS}/job/job-dead.ts`, './job-status'],
  ['no-unlisted-package', `${JOBS}/job/job-iterator.ts`, 'iterare'],
];
const SYNTAX = 'kinora/no-restricted-syntax';
const PROPERTIES = 'no-restricted-properties';
/** A rule, a file, and a text that the rule refuses there: what a rule of ours says, and not what oxlint knows itself. */
const TEXTS: [rule: string, file: string, text: string][] = [
  ['no-restricted-imports', `${JOBS}/a.ts`, `export { MessagePattern } from '@nestjs/microservices';`],
  ['no-restricted-imports', `${JOBS}/b.ts`, `export { HttpException } from '@nestjs/common';`],
  ['no-restricted-imports', `apps/gateway/src/a.ts`, `export { forwardRef } from '@nestjs/common';`],
  ['no-restricted-imports', `libs/bus/src/a.ts`, `export { env } from 'node:process';`],
  [PROPERTIES, `${JOBS}/c.ts`, `export const level = process.env['LOG_LEVEL'];`],
  [PROPERTIES, `${JOBS}/d.ts`, `export const isUrl = URL.canParse('http://a');`],
  [PROPERTIES, `${JOBS}/a.spec.ts`, `it.skip('ends', () => expect(1).toBe(1));`],
  [PROPERTIES, `${JOBS}/b.spec.ts`, `describe.only('a', () => it('b', () => expect(1).toBe(1)));`],
  [SYNTAX, `${JOBS}/e.ts`, `export type P = PassedDecisionId;\nexport const id = 'a' as PassedDecisionId;`],
  [
    SYNTAX,
    `${JOBS}/f.ts`,
    `import type { DownloadLinks } from '@kinora/object-store';\nexport type L = DownloadLinks;`,
  ],
  [SYNTAX, `${JOBS}/g.ts`, `export * from '@nestjs/common';`],
  [SYNTAX, `${JOBS}/c.spec.ts`, `it('ends', async () => { await new Promise((end) => setTimeout(end, 50)); });`],
  [
    SYNTAX,
    `${JOBS}/d.spec.ts`,
    `import { setTimeout as delay } from 'node:timers/promises';\nit('a', () => delay(50));`,
  ],
  [SYNTAX, 'apps/console/web/src/a.ts', `document.body.innerHTML = 'a';`],
  ['no-console', `${JOBS}/h.ts`, `console.log('started');`],
  ['typescript/no-floating-promises', `${JOBS}/i.ts`, `export const act = () => { fetch('a'); };`],
];
/** One tree holds all violations, so that each check runs once. */
describe('the rules of the repository', () => {
  let folder: string;
  let refusedImports: { rule: string; from: string }[];
  let refusedTexts: string[];

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'kinora-rules-'));
    for (const file of CHECKS) await cp(path.join(ROOT, file), path.join(folder, file));
    await symlink(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
    const importing = (specifier: string) =>
      `import { type thing } from '${specifier}';\nexport type Used = typeof thing;\n`;
    const leaf = 'export const thing = 1;\n';
    for (const [, importer, refused, back] of IMPORTS)
      await write(fileOf(refused, importer), back ? importing(back) : leaf);
    for (const [, importer, refused] of IMPORTS) await write(importer, importing(refused));
    await write(`${JOBS}/lower/other.ts`, leaf);
    for (const [, file, text] of TEXTS) await write(file, `${text}\n`);
    const violations = (await run('test/architecture/check-imports.mjs')).matchAll(/^([\w-]+): (.+) → /gm);
    refusedImports = [...violations].map(([, rule = '', from = '']) => ({ rule, from }));
    const { diagnostics } = JSON.parse(await run('deploy/build/lint.mjs', '-f', 'json')) as LintReport;
    // `typescript(no-explicit-any)` is the rule typescript/no-explicit-any, and `eslint(eqeqeq)` is eqeqeq.
    const nameOf = (code: string) => code.replace('(', '/').replace(')', '').replace('eslint/', '');
    refusedTexts = diagnostics.map(({ code, filename }) => `${filename}: ${nameOf(code)}`);
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('on imports have a violation each in the table', async () => {
    const rules = [...(await run('-p', RULES)).trim().split(' '), 'no-folder-cycle'];
    expect(new Set(IMPORTS.map(([rule]) => rule))).toEqual(new Set(rules));
  });

  it.each(IMPORTS)('%s: refuses that %s imports %s', (rule, importer) => {
    // A cycle of folders begins at a folder.
    expect(refusedImports.filter((found) => found.rule === rule && importer.startsWith(found.from))).not.toEqual([]);
  });

  it.each(TEXTS)('%s: refuses in %s: %s', (rule, file) => {
    expect(refusedTexts).toContain(`${file}: ${rule}`);
  });

  async function write(file: string | null, text: string): Promise<void> {
    if (file === null) return;
    await mkdir(path.join(folder, path.dirname(file)), { recursive: true });
    await writeFile(path.join(folder, file), text);
  }

  /** Both checks end with an error; what they print is the result. */
  function run(...args: string[]): Promise<string> {
    const options = { cwd: folder, maxBuffer: 2 ** 26 };
    return new Promise((resolve) => void execFile(process.execPath, args, options, (_, stdout) => resolve(stdout)));
  }
});

/** The file that a specifier names; null for a package, which node_modules already holds. */
function fileOf(specifier: string, importer: string): string | null {
  if (specifier.startsWith('.')) return `${path.join(path.dirname(importer), specifier)}.ts`;
  const contract = /^@kinora\/contracts\/(.+)$/.exec(specifier);
  if (contract) return `libs/contracts/src/${contract[1]}.ts`;
  const aliases: Record<string, string[]> = compilerOptions.paths;
  return aliases[specifier]?.[0]?.replace('./', '') ?? null;
}
