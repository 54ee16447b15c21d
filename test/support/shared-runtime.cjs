// Loads packages once a worker, as Node does, and keeps jest's own registry of modules for the files of the repository. A new
// registry for each spec file would load the 2,000 modules of NestJS, TypeORM and their packages again, for 2.5 s of processor time.
const { createRequire, isBuiltin } = require('node:module');
const Runtime = require('jest-runtime').default;

/** `prom-client` registers each metric once a process. */
const PACKAGE = /\/node_modules\/(?!prom-client\/)/;
const load = createRequire(__filename);

module.exports = class SharedPackagesRuntime extends Runtime {
  requireModuleOrMock(from, name) {
    const file = this.packageFile(from, name);
    return file === null ? super.requireModuleOrMock(from, name) : load(file);
  }

  /** Null for the files of the repository, for Node's own modules and for jest's. */
  packageFile(from, name) {
    if (name.startsWith('.') || isBuiltin(name) || name.startsWith('@jest/')) return null;
    // Another release of the package, unpacked there, in place of the pinned one (docs/openai.md: Tested clients).
    const file = createRequire(from).resolve(name === 'openai' ? (process.env.OPENAI_PACKAGE ?? name) : name);
    return PACKAGE.test(file) && !file.endsWith('.ts') ? file : null;
  }
};
