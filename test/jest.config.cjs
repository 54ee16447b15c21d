const path = require('node:path');
const root = path.resolve(__dirname, '..');
const swc = require('../deploy/build/swc-options.cjs');
/** @type {import('jest').Config} */
module.exports = {
  rootDir: root,
  testEnvironment: '<rootDir>/test/support/shared-environment.cjs',
  runtime: '<rootDir>/test/support/shared-runtime.cjs',
  roots: ['<rootDir>/apps', '<rootDir>/libs', '<rootDir>/deploy', '<rootDir>/test'],
  testMatch: ['**/*.spec.ts', '**/*.e2e-spec.ts'],
  modulePathIgnorePatterns: ['<rootDir>/dist'],
  transform: { '\\.ts$': ['@swc/jest', swc] },
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
