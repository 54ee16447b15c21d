// Lets Node run a TypeScript file, compiled as the build and jest compile it: `node -r ./test/typescript.cjs <file>`.
require('reflect-metadata');
const { transformFileSync } = require('@swc/core');
const options = require('../deploy/build/swc-options.cjs');

require.extensions['.ts'] = (module, file) => module._compile(transformFileSync(file, options).code, file);
