const path = require('node:path');
/**
 * The part that `nest build` reads too. `lazy` lists packages that a service may run for days without: an import of one of
 * them becomes a `require` at its first use. Together they take 5 to 25 MB of a process.
 */
const options = require('./swc.json');

const root = path.resolve(__dirname, '../..');
const { compilerOptions } = require(path.join(root, 'tsconfig.json'));

/** How TypeScript becomes CommonJS, for the build and for jest alike, so that tests run what production runs. */
module.exports = {
  ...options,
  sourceMaps: 'inline',
  jsc: { ...options.jsc, baseUrl: root, paths: compilerOptions.paths },
};
