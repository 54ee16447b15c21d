const path = require('node:path');
/**
 * The options that `nest build` uses too. `lazy` lists packages that a service may not use for days. An import of one of them
 * becomes a `require` at its first use. Together they take 5 to 25 MB of a process.
 */
const options = require('./swc.json');

const root = path.resolve(__dirname, '../..');
const { compilerOptions } = require(path.join(root, 'tsconfig.json'));

/** Options for compiling TypeScript to CommonJS, shared by the build and jest, so that tests run the production code. */
module.exports = {
  ...options,
  sourceMaps: 'inline',
  jsc: { ...options.jsc, baseUrl: root, paths: compilerOptions.paths },
};
