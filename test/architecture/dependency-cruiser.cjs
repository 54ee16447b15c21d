// The import rules, which `npm run check:imports` checks.
const path = require('node:path');
const contextMap = require('./context-map.cjs');
const wrappedPackages = require('./wrapped-packages.cjs');

const SPEC = '\\.(e2e-)?spec\\.tsx?$';
const FIXTURES = '\\.fixtures?\\.ts$';
/** Files that are not part of production. */
const NOT_SHIPPED = [SPEC, FIXTURES, '^libs/testing/', '^test/', '^deploy/build/', '^(apps|libs)/[^/]+/build\\.mjs$'];

/** Entry points that are started by their file name. */
const ENTRIES = [
  '^apps/[^/]+/src/(main|migrate)\\.ts$',
  // A program of its own behind the operator's command.
  '^apps/moderation/src/evaluate\\.ts$',
  '^deploy/local/(start|dev/dev|backup/main)\\.ts$',
  // The two pages of the console load these.
  '^apps/console/web/src/(customer|operator)/main\\.tsx$',
  '^apps/console/web/vite\\.config\\.mjs$',
  // Programs of others import it.
  '^libs/ai-sdk-provider/src/index\\.ts$',
  // Node preloads the first file before a program, and a bundle requires the second one.
  '^libs/service-kit/src/(before-program|bundle)\\.ts$',
  // Runs as a process of its own for each video that is decoded.
  '^libs/videos/src/built-in-decoder\\.worker\\.ts$',
  // Runs as a worker thread, with the C2PA library.
  '^libs/credentials/src/credentials\\.worker\\.ts$',
  // Background processes, which handle images.
  '^apps/(jobs/src/dispatch/large-inputs|moderation/src/image/image)\\.worker\\.ts$',
];

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'app-not-to-app',
      comment: 'Services communicate over NATS only, so that each can be deployed, scaled and restarted on its own.',
      severity: 'error',
      from: { path: '^apps/([^/]+)/' },
      to: { path: '^apps/', pathNot: '^apps/$1/' },
    },
    {
      name: 'lib-not-to-app',
      comment: 'A library that imports an app belongs to that app.',
      severity: 'error',
      from: { path: '^libs/' },
      to: { path: '^apps/' },
    },
    {
      name: 'lib-by-its-face',
      comment:
        'Exports that src/index.ts does not name are internal. Contracts have no index: a barrel would hide which file is imported. ' +
        'client.ts and without-nest.ts are further entry points, for programs without Nest; thread-priority.ts and ' +
        'background-permits.ts are those for threads, serve-parent.ts is one for background processes, connection-limit.ts for ' +
        'servers that limit addresses (the others need no ipaddr.js), backends.fixtures.ts and credential.fixtures.ts for specs.',
      severity: 'error',
      // Foreign bytes go to each parser itself.
      from: { path: '^([^/]+/[^/]+)', pathNot: '^test/foreign-bytes/' },
      to: {
        path: '^libs/',
        pathNot: [
          '^$1/',
          '^libs/contracts/',
          '^libs/service-kit/src/background-process/(background-permits|serve-parent)\\.ts$',
          '^libs/service-kit/src/http/connection-limit\\.ts$',
          '^libs/[^/]+/src/(index|client|thread-priority|without-nest|(backends|credential)\\.fixtures)\\.ts$',
        ],
      },
    },
    {
      name: 'contracts-are-leaf',
      comment: 'Every app imports the contracts, so it would import all their dependencies too.',
      severity: 'error',
      from: { path: '^libs/contracts/', pathNot: NOT_SHIPPED },
      to: { pathNot: ['^libs/contracts/', 'node_modules/class-(validator|transformer)/'] },
    },
    {
      name: 'client-stands-alone',
      comment: 'The client library is installed without this repository, and has no dependency.',
      severity: 'error',
      from: { path: '^libs/sdk-typescript/src/', pathNot: NOT_SHIPPED },
      to: { pathNot: ['^libs/sdk-typescript/src/', '^(crypto|fs/promises|path)$'] },
    },
    ...contextMap,
    {
      name: 'console-half-not-to-half',
      comment:
        'A customer must not reach code that acts for operators, and each half has a user of its own on the broker, whose rights are ' +
        'read from its folder.',
      severity: 'error',
      from: { path: '^apps/console/src/(customer|operator)/' },
      to: { path: '^apps/console/src/(customer|operator)/', pathNot: '^apps/console/src/$1/' },
    },
    {
      name: 'compute-only-in-jobs',
      comment:
        'Only jobs submits work to compute backends: a second sender would bypass its queue, its limits and its billing.',
      severity: 'error',
      from: { path: '^(apps|libs|deploy)/', pathNot: '^(apps/jobs|libs/compute)/' },
      to: { path: '^libs/compute/' },
    },
    {
      name: 'adapter-not-to-adapter',
      comment:
        'Each adapter can be reviewed and removed on its own. Code that several share lies in conformance, hosted-model or http. ' +
        "One of RunPod's workers runs ComfyUI graphs, so its adapter reads them with ComfyUI's code.",
      severity: 'error',
      from: { path: '^libs/compute/src/([^/]+)/', pathNot: '^libs/compute/src/runpod/comfyui-worker\\.' },
      to: { path: '^libs/compute/src/[^/]+/', pathNot: '^libs/compute/src/($1|conformance|hosted-model|http)/' },
    },
    {
      name: 'use-case-not-to-use-case',
      comment:
        'Each use case can be changed on its own. Code that two of them share belongs to the noun; only a spec may use both.',
      severity: 'error',
      // A use case is a file or a folder, in the use-cases of the context or of a feature.
      from: { path: '^apps/([^/]+)/src/(.*)use-cases/([^/.]+)', pathNot: NOT_SHIPPED },
      to: { path: '^apps/$1/src/.*use-cases/', pathNot: '^apps/$1/src/$2use-cases/$3[/.]' },
    },
    {
      name: 'migration-stands-alone',
      comment: 'A migration is history: what it does must not change with the code of the context.',
      severity: 'error',
      from: { path: '^apps/([^/]+)/src/migrations/' },
      to: { path: '^apps/', pathNot: '^apps/$1/src/migrations/' },
    },
    {
      name: 'noun-not-to-use-case',
      comment:
        'Use cases import nouns; a noun that imports a use case makes a cycle. (A runner is no noun: a timer starts it. Nor are the ' +
        'controllers and the module of a feature.)',
      severity: 'error',
      from: {
        path: '^apps/([^/]+)/src/(?!use-cases/|background/)[^/]+/',
        pathNot: [...NOT_SHIPPED, '/use-cases/', '\\.(controller|module)\\.ts$'],
      },
      to: { path: '^apps/$1/src/.*use-cases/' },
    },
    {
      name: 'controller-not-to-storage',
      comment: 'A controller calls one use case a route; a controller that reads rows can leak them.',
      severity: 'error',
      from: { path: '\\.controller\\.ts$' },
      to: { path: '\\.(repository|row|entity)\\.ts$' },
    },
    ...wrappedPackages,
    {
      name: 'web-alone',
      comment:
        'The pages run in browsers: they know the services by the published client, and by types generated from their descriptions.',
      severity: 'error',
      from: { path: '^apps/console/web/' },
      to: {
        path: '^(apps|libs|deploy|test)/',
        pathNot: ['^apps/console/web/', '^libs/sdk-typescript/src/index\\.ts$'],
      },
    },
    {
      name: 'web-not-in-services',
      comment: 'The pages are built for browsers, and served as files.',
      severity: 'error',
      from: { path: '^(apps|libs|deploy)/', pathNot: '^apps/console/web/' },
      to: { path: '^apps/console/web/' },
    },
    {
      name: 'no-barrel-in-app',
      comment: 'An index.ts hides which file is imported, and causes cycles.',
      severity: 'error',
      from: {},
      to: { path: ['^apps/.*/index\\.ts$', '^libs/contracts/.*/index\\.ts$'] },
    },
    {
      name: 'no-circular',
      comment: 'Two files that import each other cannot be read, tested or moved separately.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'not-to-spec',
      comment: 'Code that several specs share belongs into fixtures.',
      severity: 'error',
      from: {},
      to: { path: SPEC },
    },
    {
      name: 'not-to-testing',
      comment: 'Production code does not import test code.',
      severity: 'error',
      from: { path: '^(apps|libs|deploy)/', pathNot: NOT_SHIPPED },
      to: { path: ['^libs/testing/', FIXTURES] },
    },
    {
      name: 'not-to-deploy-or-test',
      comment:
        'A service must not depend on how it is deployed or tested; @kinora/testing starts servers as the launcher does.',
      severity: 'error',
      from: { path: '^(apps|libs)/', pathNot: '^libs/testing/' },
      to: { path: '^(deploy|test)/' },
    },
    {
      name: 'no-dev-dependency-in-production',
      comment: 'A production image is installed without devDependencies.',
      severity: 'error',
      // The pages are bundled when the image is built.
      from: { path: '^(apps|libs)/', pathNot: [...NOT_SHIPPED, '^apps/console/web/'] },
      // Packages of the pages have a rule of their own.
      to: { dependencyTypes: ['npm-dev'], pathNot: 'node_modules/(@types|react|react-dom|@tanstack)/' },
    },
    {
      name: 'no-dead-file',
      comment:
        'No program imports this code, so it is maintained for nothing. (Without circles, a group of dead files has a first one.)',
      severity: 'error',
      from: { path: '^(apps|libs|deploy)/', pathNot: NOT_SHIPPED },
      // A .d.ts describes a package to the compiler only; nothing imports it. Receivers copy the webhook samples into their own
      // programs. An entity may describe a table that only SQL statements use; `npm run check:services` compares each with
      // the schema.
      module: {
        path: '^(apps|libs|deploy)/.*\\.tsx?$',
        pathNot: [...ENTRIES, ...NOT_SHIPPED, '\\.d\\.ts$', '\\.entity\\.ts$', '^libs/webhooks/verification/'],
        numberOfDependentsLessThan: 1,
      },
    },
    {
      name: 'no-unlisted-package',
      comment:
        'A package that is only a transitive dependency can disappear with the next version of the package that requires it.',
      severity: 'error',
      // Packages of their own: one bundles what the project lists, the other names its peers.
      from: { path: '^(apps|libs|deploy|test)/', pathNot: '^(apps/mcp|libs/ai-sdk-provider)/' },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^dist/' },
    // An `import type` couples two contexts as much as any other import.
    tsPreCompilationDeps: true,
    tsConfig: { fileName: path.resolve('tsconfig.json') },
    enhancedResolveOptions: {
      // Types that are only declared count too.
      extensions: ['.ts', '.tsx', '.d.ts', '.js', '.cjs', '.mjs', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['require', 'node', 'default', 'types'],
    },
  },
};
