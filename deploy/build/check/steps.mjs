// The steps of `npm run check`: how each is run, and what its outcome depends on.
import { createHash } from 'node:crypto';
import path from 'node:path';

const TYPESCRIPT = ['node', '-r', './test/typescript.cjs'];
/** Adds the rules about folders to those about files. */
const REPORT = path.resolve(import.meta.dirname, '../../../test/architecture/import-report.mjs');
const GENERATE = [...TYPESCRIPT, 'deploy/build/generate/generate.ts'];
/** Copies of the tree that share node_modules have caches of their own. */
const CACHE = `node_modules/.cache/kinora-check/${createHash('sha256')
  .update(import.meta.dirname)
  .digest('hex')
  .slice(0, 8)}`;

/** What every step that runs our own code depends on besides. */
const TOOLS =
  /^(package\.json|tsconfig\.json|test\/typescript\.cjs|deploy\/build\/(swc.*|check\/.*|source-files\.ts))$/;
const GENERATOR = (folder) => new RegExp(`^deploy/build/generate/(generate|generated-files|${folder}/.*)\\.ts$`);

/**
 * `inputs` are files whose contents, with all that they import, decide the outcome: while they are as they were when the step
 * passed, it is not run again. A step without inputs has a cache of its own, or is always run.
 */
export const STEPS = {
  format: {
    command: [
      'prettier',
      '--check',
      '.',
      '--cache',
      '--cache-strategy',
      'content',
      '--cache-location',
      `${CACHE}.prettier`,
    ],
    fresh: ['prettier', '--check', '.'],
    changed: (files) => ['prettier', '--check', '--ignore-unknown', ...files],
  },
  lint: {
    command: ['node', 'deploy/build/check/lint.mjs'],
    fresh: ['node', 'deploy/build/check/lint.mjs', '--fresh'],
    changed: (_, programs) => ['node', 'deploy/build/check/lint.mjs', ...programs],
  },
  imports: {
    command: [
      ...['depcruise', '--config', 'test/architecture/dependency-cruiser.cjs'],
      ...['--output-type', `plugin:${REPORT}`, 'apps', 'libs', 'deploy', 'test'],
    ],
    /** A file's own text matters as far as it imports. */
    importsOnly: true,
    inputs: [/^(apps|libs|deploy|test)\/.*\.(ts|cjs|mjs|js)$/, /^test\/architecture\//],
  },
  types: {
    command: ['tsc', '--noEmit', '--tsBuildInfoFile', `${CACHE}.tsbuildinfo`],
    fresh: ['tsc', '--noEmit', '--incremental', 'false'],
  },
  handlers: {
    command: [...TYPESCRIPT, 'test/contract/check-contracts.ts'],
    inputs: [/^test\/contract\//, /^libs\/contracts\/src\//, /^apps\/.*\.controller\.ts$/],
  },
  modules: {
    command: [...TYPESCRIPT, 'test/architecture/check-modules.ts'],
    inputs: [/^test\/architecture\/(check-)?modules\.ts$/, /^apps\/[^/]+\/src\/[^/]+\.(module|config)\.ts$/],
  },
  migrations: {
    command: [...TYPESCRIPT, 'test/migrations/check-migrations.ts'],
    inputs: [/^test\/migrations\//, /^apps\/.*\/migrations\//],
  },
  contracts: {
    command: [...GENERATE, 'contracts'],
    inputs: [GENERATOR('contracts'), /^libs\/contracts\/src\//, /^test\/contract\/golden\//],
  },
  entities: {
    command: [...TYPESCRIPT, 'test/entities/check-entities.ts'],
    inputs: [/^test\/entities\//, /^(apps|libs)\/.*\.ts$/],
  },
  schema: {
    command: [...GENERATE, 'schema'],
    inputs: [GENERATOR('schema'), /^apps\/.*\/(migrate|migrations\/.*)\.ts$/, /^test\/schema\//],
  },
  settings: {
    command: [...GENERATE, 'settings'],
    inputs: [GENERATOR('settings'), /^(apps|libs|deploy)\/.*\.config\.ts$/, /^\.env\.example$/],
  },
  openapi: {
    command: [...GENERATE, 'openapi'],
    inputs: [GENERATOR('openapi'), /^apps\/gateway\//, /^libs\/contracts\/src\//],
  },
  broker: {
    command: [...GENERATE, 'broker'],
    inputs: [GENERATOR('broker'), /^(apps|libs)\/.*\.ts$/, /^deploy\/helm\/kinora\/files\//],
  },
  chart: {
    command: [...GENERATE, 'chart'],
    inputs: [GENERATOR('chart'), /^(apps|libs)\/.*\.config\.ts$/, /^deploy\/helm\/kinora\//],
  },
  architecture: {
    command: [...GENERATE, 'architecture'],
    inputs: [GENERATOR('architecture'), /^(apps|libs)\/.*\.ts$/, /^docs\/architecture\.md$/],
  },
  telemetry: {
    command: [...GENERATE, 'metrics', 'alerts', 'dashboards'],
    inputs: [
      GENERATOR('telemetry'),
      /^(apps|libs)\/.*\.ts$/,
      /^deploy\/helm\/kinora\/files\//,
      /^docs\/(metrics|runbook)\.md$/,
    ],
  },
  reference: {
    command: ['redocly', 'lint', '--config', 'test/openapi/redocly.yaml', 'apps/gateway/openapi.json'],
    inputs: [/^apps\/gateway\/openapi\.json$/, /^test\/openapi\/redocly\.yaml$/],
  },
};

/** The files that decide the outcome of a step; null where only running it tells. */
export function inputsOf({ inputs }, graph) {
  if (!inputs) return null;
  return new Set([TOOLS, ...inputs].flatMap((pattern) => [...graph.closure(pattern)]));
}
