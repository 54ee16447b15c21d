const path = require('node:path');

const root = path.resolve(__dirname, '../..');
const { compilerOptions } = require(path.join(root, 'tsconfig.json'));

/** How TypeScript becomes CommonJS, for the build and for jest alike, so that tests run what production runs. */
module.exports = {
  swcrc: false,
  sourceMaps: 'inline',
  jsc: {
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
    target: 'es2022',
    keepClassNames: true,
    baseUrl: root,
    paths: compilerOptions.paths,
  },
  module: { type: 'commonjs' },
};
