// The steps of `npm run check`: the command of each step, and the inputs that its result depends on.
import { createHash } from 'node:crypto';
import path from 'node:path';

const TYPESCRIPT = ['node', '-r', './test/typescript.cjs'];
/** Reports rules about folders together with those about files. */
const REPORT = path.resolve(import.meta.dirname, '../../../test/architecture/import-report.mjs');
const GENERATE = [...TYPESCRIPT, 'deploy/build/generate/generate.ts'];

/** One process for any number of generators: loading the sources that most of them read takes longer than generating. */
export const compare = (generators) => [...GENERATE, ...generators];
const comparing = (...generators) => ({ command: compare(generators), generators });
/** Copies of the repository that share node_modules get separate caches. */
const CACHE = `node_modules/.cache/kinora-check/${createHash('sha256')
  .update(import.meta.dirname)
  .digest('hex')
  .slice(0, 8)}`;

/** Additional inputs of every step that runs our own code. */
const TOOLS =
  /^(package\.json|tsconfig\.json|test\/typescript\.cjs|deploy\/build\/(swc.*|check\/.*|source-files\.ts|source-graph\.mjs))$/;
const GENERATOR = (folder) => new RegExp(`^deploy/build/generate/(generate|generated-files|${folder}/.*)\\.ts$`);

/**
 * `inputs` are the files that decide the result, together with everything they import. While they are unchanged since the step
 * passed, it is not run again. A step without inputs has its own cache, or is always run.
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
    /** Only the imports of a file matter, and not the rest of its text. */
    importsOnly: true,
    inputs: [/^(apps|libs|deploy|test)\/.*\.(tsx?|cjs|mjs|js)$/, /^test\/architecture\//],
  },
  types: {
    command: ['tsc', '--noEmit', '--tsBuildInfoFile', `${CACHE}.tsbuildinfo`],
    fresh: ['tsc', '--noEmit', '--incremental', 'false'],
  },
  web: {
    command: ['tsc', '--noEmit', '--project', 'apps/console/web', '--tsBuildInfoFile', `${CACHE}.web.tsbuildinfo`],
    fresh: ['tsc', '--noEmit', '--project', 'apps/console/web', '--incremental', 'false'],
    inputs: [/^apps\/console\/web\//, /^libs\/sdk-typescript\/src\//],
  },
  pages: {
    command: ['node', 'deploy/build/check/web-size.mjs'],
    inputs: [
      /^apps\/console\/web\//,
      /^libs\/sdk-typescript\/src\//,
      /^deploy\/build\/(build-web\.mjs|check\/web-size\.mjs)$/,
    ],
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
    ...comparing('contracts'),
    inputs: [GENERATOR('contracts'), /^libs\/contracts\/src\//, /^test\/contract\/golden\//],
  },
  entities: {
    command: [...TYPESCRIPT, 'test/entities/check-entities.ts'],
    inputs: [/^test\/entities\//, /^(apps|libs)\/.*\.ts$/],
  },
  settings: {
    ...comparing('settings'),
    inputs: [GENERATOR('settings'), /^(apps|libs|deploy)\/.*\.config\.ts$/, /^\.env\.example$/],
  },
  openapi: {
    ...comparing('openapi'),
    inputs: [GENERATOR('(openapi|console)'), /^apps\/(gateway|console)\//, /^libs\/contracts\/src\//],
  },
  clients: {
    ...comparing('clients'),
    inputs: [GENERATOR('clients'), /^apps\/gateway\/openapi\.json$/, /^libs\/sdk-typescript\/src\/api-types\.ts$/],
  },
  python: {
    ...comparing('python'),
    inputs: [
      GENERATOR('python'),
      /^apps\/gateway\/openapi\.json$/,
      /^libs\/sdk-python\/src\/kinora\/(types|_(async_)?(client|resources|administration))\.py$/,
    ],
  },
  'api-types': {
    ...comparing('console'),
    inputs: [GENERATOR('console'), /^apps\/console\/openapi\.json$/, /^apps\/console\/web\/src\/api\/.*\.d\.ts$/],
  },
  broker: {
    ...comparing('broker'),
    inputs: [GENERATOR('broker'), /^(apps|libs)\/.*\.ts$/, /^deploy\/helm\/kinora\/files\//],
  },
  chart: {
    ...comparing('chart'),
    inputs: [GENERATOR('chart'), /^(apps|libs)\/.*\.config\.ts$/, /^deploy\/helm\/kinora\//],
  },
  architecture: {
    ...comparing('architecture'),
    inputs: [GENERATOR('architecture'), /^(apps|libs)\/.*\.ts$/, /^docs\/(architecture|contract-map)\.md$/],
  },
  telemetry: {
    ...comparing('metrics'),
    inputs: [GENERATOR('telemetry'), /^(apps|libs)\/.*\.ts$/, /^docs\/metrics\.md$/],
  },
  reference: {
    command: [
      ...['redocly', 'lint', '--config', 'test/openapi/redocly.yaml'],
      ...['apps/gateway/openapi.json', 'apps/gateway/openapi.openai.json', 'apps/console/openapi.json'],
    ],
    inputs: [/^apps\/(gateway|console)\/openapi(\.openai)?\.json$/, /^test\/openapi\/redocly\.yaml$/],
  },
};

/** The files that decide the result of a step; null if the step must always run. */
export function inputsOf({ inputs }, graph) {
  if (!inputs) return null;
  return new Set([TOOLS, ...inputs].flatMap((pattern) => [...graph.closure(pattern)]));
}
