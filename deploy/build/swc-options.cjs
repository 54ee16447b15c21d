const path = require('node:path');

const root = path.resolve(__dirname, '../..');
const { compilerOptions } = require(path.join(root, 'tsconfig.json'));

/**
 * Packages that a service may run for days without. An import of one of them becomes a `require` at its first use: together
 * they take 5 to 25 MB of a process.
 */
const ON_FIRST_USE = [
  // Pictures and videos.
  'sharp',
  'mediabunny',
  'h264-mp4-encoder',
  // Payments, where KINORA_PAYMENTS says so.
  'stripe',
  // Requests to addresses of clients, of providers and of engines.
  'undici',
  // The operator's files, where there are any.
  'yaml',
];

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
  module: { type: 'commonjs', lazy: ON_FIRST_USE },
};
