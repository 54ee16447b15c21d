const path = require('node:path');
const root = path.resolve(__dirname, '..');
const swc = require('../deploy/build/swc-options.cjs');
const EXPORTER = '@opentelemetry/otlp-exporter-base/.*\\.js$';
/** Published as ECMAScript modules only. Node loads them by `require` since 20.19, and jest does not. */
const MODULES_ONLY = '(openid-client|oauth4webapi)/.*\\.js$';

const COMMONJS = ['@swc/jest', { jsc: { target: 'es2022' }, module: { type: 'commonjs' } }];

/** @type {import('jest').Config} */
module.exports = {
  rootDir: root,
  testEnvironment: 'node',
  roots: ['<rootDir>/apps', '<rootDir>/libs', '<rootDir>/deploy', '<rootDir>/test'],
  testMatch: ['**/*.spec.ts', '**/*.e2e-spec.ts'],
  modulePathIgnorePatterns: ['<rootDir>/dist'],
  transform: {
    '\\.ts$': ['@swc/jest', swc],
    // It loads Node's own client by `import()`, which jest does not support for CommonJS modules.
    [EXPORTER]: COMMONJS,
    [MODULES_ONLY]: COMMONJS,
  },
  transformIgnorePatterns: [`/node_modules/(?!${EXPORTER}|${MODULES_ONLY}|jose/)`],
  // Another release of the package, unpacked there, in place of the pinned one (docs/openai.md: Tested clients).
  moduleNameMapper: process.env.OPENAI_PACKAGE ? { '^openai$': process.env.OPENAI_PACKAGE } : {},
  setupFiles: ['reflect-metadata'],
  // A generous limit, because a slow machine is no failure; a test of speed waits for its own condition with its own limit.
  testTimeout: 120_000,
  // After many specs a worker holds 900 MB. A busy machine needs longer to free it than jest's half second. Only an open timer
  // or socket of a spec keeps a worker alive for longer.
  workerGracefulExitTimeout: 30_000,
  reporters: ['default', '<rootDir>/test/support/failure-reporter.cjs'],
  testSequencer: '<rootDir>/test/support/longest-first.cjs',
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
};
