/**
 * StrykerJS changes the code where a mistake costs money or loses work, and runs the specs that import the changed file. mutations.ts
 * starts it, with the servers that the specs need.
 * @type {import('@stryker-mutator/api/core').PartialStrykerOptions}
 */
export default {
  mutate: [
    // Money.
    'apps/billing/src/{wallet,payments,use-cases}/**/*.ts',
    // The life cycle of a job.
    'apps/jobs/src/{intake,dispatch,polling,collecting,ending,deletion,attempt,job}/**/*.ts',
    // Delivery.
    'apps/webhook-dispatcher/src/{delivery,attempts,use-cases}/**/*.ts',
    // The bus.
    'libs/bus/src/**/*.ts',
    '!**/*.{spec,fixtures,entity}.ts',
  ],
  testRunner: 'jest',
  jest: {
    configFile: 'test/jest.config.cjs',
    // StrykerJS extends the environment, and finds it by a path from the folder of its copy.
    config: {
      testEnvironment: './test/support/shared-environment.cjs',
      testMatch: ['<rootDir>/{apps,libs}/**/*.spec.ts'],
      reporters: [],
    },
  },
  coverageAnalysis: 'perTest',
  // A string that a reader sees is no behaviour, and a spec of each would repeat the code.
  mutator: { excludedMutations: ['StringLiteral'] },
  // A value that is computed when the file is loaded would need a run of its own for each mutant.
  ignoreStatic: true,
  concurrency: 2,
  // Results of unchanged code and specs are not measured again.
  incremental: true,
  incrementalFile: '.kinora/mutants.json',
  // A busy machine needs long to load the specs, which a run without a mutant measures.
  timeoutMS: 30_000,
  dryRunTimeoutMinutes: 20,
  tempDirName: '.kinora/mutants',
  ignorePatterns: ['.kinora', '.wireit', 'dist', 'docs', 'deploy/helm', 'apps/console/web'],
  reporters: ['clear-text', 'dots'],
  clearTextReporter: { allowColor: false, reportTests: false },
  allowConsoleColors: false,
};
