// Records for global-teardown.ts whether a test failed. Both run in the process that started the specs.
module.exports = class FailureReporter {
  onRunComplete(_, { success }) {
    globalThis.kinoraSpecsFailed = !success;
  }
};
