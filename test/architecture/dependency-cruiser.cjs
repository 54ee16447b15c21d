// Who may import whom. boundaries.spec.ts plants a violation of each rule, and a rule without one fails it.
const path = require('node:path');

const SPEC = '\\.(e2e-)?spec\\.ts$';
const FIXTURES = '\\.fixtures?\\.ts$';
/** What never ships. */
const NOT_SHIPPED = [SPEC, FIXTURES, '^libs/testing/', '^test/', '^deploy/build/'];

/** What is run by name. */
const ENTRIES = [
  '^apps/[^/]+/src/(main|migrate)\\.ts$',
  '^deploy/local/(start|dev/dev|seed/seed|backup/main)\\.ts$',
  // Node requires it before the program.
  '^libs/service-kit/src/before-program\\.ts$',
  // A process of its own for each video that is decoded.
  '^libs/videos/src/built-in-decoder\\.worker\\.ts$',
];

/** What each context may know of the others: their contracts, never more than its row of the design's table. */
const CONTEXT_MAP = {
  gateway: ['jobs', 'billing', 'catalog'],
  jobs: ['jobs', 'billing', 'catalog', 'moderation'],
  // Five strikes suspend an account, and accounts are billing's.
  billing: ['billing', 'moderation'],
  moderation: ['moderation'],
  catalog: ['catalog'],
  'webhook-dispatcher': ['jobs', 'billing', 'webhooks'],
  sandbox: [],
};

const contextMap = Object.entries(CONTEXT_MAP).map(([app, contexts]) => ({
  name: `context-map-${app}`,
  comment: 'A context that learns of another one outside its row of the map couples two teams by accident.',
  severity: 'error',
  from: { path: `^apps/${app}/` },
  to: { path: '^libs/contracts/src/', pathNot: `^libs/contracts/src/(${['shared', ...contexts].join('|')})/` },
}));

/** A package that one place wraps, so that replacing or upgrading it stays a change of that place. */
const wrapped = (name, packages, homes, comment) => ({
  name,
  comment,
  severity: 'error',
  // What builds and generates ships with no service.
  from: { path: '^(apps|libs|deploy)/', pathNot: ['^deploy/build/', ...homes] },
  to: { path: `node_modules/(@types/)?(${packages.join('|')})/` },
});

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'app-not-to-app',
      comment: 'Services meet on NATS, so that each can be deployed, scaled and lost alone.',
      severity: 'error',
      from: { path: '^apps/([^/]+)/' },
      to: { path: '^apps/', pathNot: '^apps/$1/' },
    },
    {
      name: 'lib-not-to-app',
      comment: 'A library that knows an app is a part of that app.',
      severity: 'error',
      from: { path: '^libs/' },
      to: { path: '^apps/' },
    },
    {
      name: 'lib-by-its-face',
      comment:
        'What src/index.ts does not name is free to change. Contracts have no face: a barrel would hide who reads which. ' +
        'client.ts and without-nest.ts are second faces, for programs that do without Nest; thread-priority.ts is one for threads, ' +
        'backends.fixtures.ts for specs.',
      severity: 'error',
      from: { path: '^([^/]+/[^/]+)' },
      to: {
        path: '^libs/',
        pathNot: [
          '^$1/',
          '^libs/contracts/',
          '^libs/[^/]+/src/(index|client|thread-priority|without-nest|backends\\.fixtures)\\.ts$',
        ],
      },
    },
    {
      name: 'contracts-are-leaf',
      comment: 'Everyone imports the contracts: whatever they import, everyone does.',
      severity: 'error',
      from: { path: '^libs/contracts/', pathNot: NOT_SHIPPED },
      to: { pathNot: ['^libs/contracts/', 'node_modules/class-(validator|transformer)/'] },
    },
    ...contextMap,
    {
      name: 'compute-only-in-jobs',
      comment:
        'Only jobs sends work to compute backends: a second sender would pass by its queue, its limits and its money.',
      severity: 'error',
      from: { path: '^(apps|libs|deploy)/', pathNot: '^(apps/jobs|libs/compute)/' },
      to: { path: '^libs/compute/' },
    },
    {
      name: 'adapter-not-to-adapter',
      comment:
        'An adapter is written, reviewed and removed alone. What several share is conformance, hosted-model or http. ' +
        "One worker of RunPod's runs ComfyUI's graphs, and reads them as that adapter does.",
      severity: 'error',
      from: { path: '^libs/compute/src/([^/]+)/', pathNot: '^libs/compute/src/runpod/comfyui-worker\\.' },
      to: { path: '^libs/compute/src/[^/]+/', pathNot: '^libs/compute/src/($1|conformance|hosted-model|http)/' },
    },
    {
      name: 'use-case-not-to-use-case',
      comment:
        'A slice changes alone. What two of them share is a rule of the noun; only a spec may set its scene by them.',
      severity: 'error',
      from: { path: '^apps/([^/]+)/src/use-cases/([^/]+)/', pathNot: NOT_SHIPPED },
      to: { path: '^apps/$1/src/use-cases/', pathNot: '^apps/$1/src/use-cases/$2/' },
    },
    {
      name: 'noun-not-to-use-case',
      comment:
        'Use cases use nouns; a noun that calls back knows who calls it. (A runner is no noun: it is the clock that calls.)',
      severity: 'error',
      from: { path: '^apps/([^/]+)/src/(?!use-cases/|background/)[^/]+/', pathNot: NOT_SHIPPED },
      to: { path: '^apps/$1/src/use-cases/' },
    },
    {
      name: 'controller-not-to-storage',
      comment: 'A controller names a use case a line; a row it can read is a row it can leak.',
      severity: 'error',
      from: { path: '\\.controller\\.ts$' },
      to: { path: '\\.(repository|row|entity)\\.ts$' },
    },
    wrapped(
      'sql-driver-only-in-database',
      ['pg'],
      // What fills and measures tables for tests, and what copies a whole server, work beside every context.
      ['^libs/database/', '^libs/testing/src/(fill-table|measured-database)\\.ts$', '^deploy/local/backup/'],
      'Transactions, schemas and roles are decided in one library; the rest writes SQL through it.',
    ),
    wrapped(
      'typeorm-only-in-storage',
      ['typeorm', '@nestjs/typeorm'],
      // A module names the entities whose repositories are injected.
      [
        '^libs/database/',
        '/migrations/',
        '\\.(entity|repository)\\.ts$',
        '^apps/[^/]+/src/[^/]+\\.module\\.ts$',
        '^libs/testing/src/measured-database\\.ts$',
      ],
      'A use case that builds queries knows the tables; it asks a repository, which is the one place to make a query cheap.',
    ),
    wrapped(
      'nats-only-in-bus',
      ['nats'],
      ['^libs/bus/', '^deploy/local/'],
      'The next major of the client has another name and another API: that move must stay a change of one library.',
    ),
    wrapped(
      'prom-client-only-in-metrics',
      ['prom-client'],
      ['^libs/metrics/'],
      'Its own histogram costs the hot path too much, and a registry beside the one that is shown would be seen by nobody.',
    ),
    wrapped(
      'sharp-only-where-pixels-are',
      ['sharp'],
      ['^libs/images/', '^apps/(sandbox|moderation)/'],
      'Decoding bytes of strangers is bounded in one place; elsewhere a picture is bytes.',
    ),
    wrapped(
      'containers-only-in-videos',
      ['mediabunny', '@ffmpeg/core', 'tinyh264'],
      ['^libs/videos/', '^apps/sandbox/'],
      'The demuxer and the decoder trust what they read more than a stranger deserves; one library bounds them.',
    ),
    wrapped(
      'telemetry-only-in-tracing',
      ['@opentelemetry/[^/]+'],
      ['^libs/tracing/'],
      'Where no collector is set none of it may be loaded, and what a span may tell is decided in one place.',
    ),
    {
      name: 'no-barrel-in-app',
      comment: 'An index.ts hides which file is needed, and makes cycles.',
      severity: 'error',
      from: {},
      to: { path: ['^apps/.*/index\\.ts$', '^libs/contracts/.*/index\\.ts$'] },
    },
    {
      name: 'no-circular',
      comment: 'Two files that need each other cannot be read, tested or moved one at a time.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'not-to-spec',
      comment: 'What specs share belongs into fixtures.',
      severity: 'error',
      from: {},
      to: { path: SPEC },
    },
    {
      name: 'not-to-testing',
      comment: 'What ships does without what tests need.',
      severity: 'error',
      from: { path: '^(apps|libs|deploy)/', pathNot: NOT_SHIPPED },
      to: { path: ['^libs/testing/', FIXTURES] },
    },
    {
      name: 'not-to-deploy-or-test',
      comment:
        'A service that imports how it is deployed or tested cannot be deployed otherwise; @kinora/testing starts servers as the launcher does.',
      severity: 'error',
      from: { path: '^(apps|libs)/', pathNot: '^libs/testing/' },
      to: { path: '^(deploy|test)/' },
    },
    {
      name: 'no-dev-dependency-in-production',
      comment: 'A production image is installed without devDependencies.',
      severity: 'error',
      from: { path: '^(apps|libs)/', pathNot: NOT_SHIPPED },
      to: { dependencyTypes: ['npm-dev'], pathNot: 'node_modules/@types/' },
    },
    {
      name: 'no-dead-file',
      comment: 'Code that nothing which runs needs is read, moved and worried about for nothing.',
      severity: 'error',
      from: { path: ENTRIES },
      // A .d.ts describes a package to the compiler alone; nothing imports it. What receivers of webhooks copy runs at theirs.
      // An entity describes a table, also one that statements alone use; `npm run check -- entities` compares each with the schema.
      to: {
        path: '^(apps|libs|deploy)/.*\\.ts$',
        pathNot: [...ENTRIES, ...NOT_SHIPPED, '\\.d\\.ts$', '\\.entity\\.ts$', '^libs/webhooks/verification/'],
        reachable: false,
      },
    },
    {
      name: 'no-unlisted-package',
      comment: 'A package that only another package brought along can vanish with its next version.',
      severity: 'error',
      from: { path: '^(apps|libs|deploy|test)/' },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // The bench's peers are a package of its own, with dependencies that the project does not have.
    exclude: { path: '^(dist|test/bench/peers)/' },
    // An `import type` couples two contexts as firmly as any other import.
    tsPreCompilationDeps: true,
    tsConfig: { fileName: path.resolve('tsconfig.json') },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['require', 'node', 'default', 'types'] },
  },
};
