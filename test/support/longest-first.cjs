// Orders the specs of a run: those that took longest when the times were recorded (`node test/run.mjs all --record`) start first.
const path = require('node:path');
const Sequencer = require('@jest/test-sequencer').default;
const seconds = require('../timings.json');

module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    const secondsOf = (test) => seconds[path.relative(test.context.config.rootDir, test.path)] ?? 0;
    return [...tests].sort((one, other) => secondsOf(other) - secondsOf(one) || (one.path < other.path ? -1 : 1));
  }
};
