// The packages that one place imports, for all others.

/** One place wraps the package, so replacing or upgrading it changes that place only. */
const wrapped = (name, packages, homes, comment) => ({
  name,
  comment,
  severity: 'error',
  // Build and generator code is not part of any service.
  from: { path: '^(apps|libs|deploy)/', pathNot: ['^deploy/build/', ...homes] },
  to: { path: `node_modules/(@types/)?(${packages.join('|')})/` },
});

module.exports = [
  wrapped(
    'sql-driver-only-in-database',
    ['pg'],
    // Tools that fill tables or copy a whole server work on every context.
    ['^libs/database/', '^libs/testing/src/(fill-table|measured-database)\\.ts$', '^deploy/local/backup/'],
    'One library decides transactions, schemas and roles; all other code runs SQL through it.',
  ),
  wrapped(
    'typeorm-only-in-storage',
    ['typeorm', '@nestjs/typeorm'],
    // A module lists the entities whose repositories are injected.
    [
      '^libs/database/',
      '/migrations/',
      '\\.(entity|repository)\\.ts$',
      '^apps/[^/]+/src/[^/]+\\.module\\.ts$',
      '^libs/testing/src/measured-database\\.ts$',
    ],
    'A use case that builds queries depends on the tables; it calls a repository, the one place to optimize a query.',
  ),
  wrapped(
    'nats-only-in-bus',
    ['nats'],
    ['^libs/bus/', '^deploy/local/'],
    'The next major version of the client has another name and another API, so one library wraps it.',
  ),
  wrapped(
    'prom-client-only-in-metrics',
    ['prom-client'],
    ['^libs/metrics/'],
    'Its histogram costs the hot path too much, and /metrics would not export a second registry.',
  ),
  wrapped(
    'sharp-only-where-pixels-are',
    ['sharp'],
    [
      '^libs/images/',
      '^(libs/credentials|apps/jobs)/.*\\.(fixtures|spec)\\.ts$',
      '^apps/(sandbox|moderation)/',
      '^apps/mcp/.*\\.spec\\.ts$',
    ],
    'One library decodes untrusted images within limits; elsewhere an image is bytes.',
  ),
  wrapped(
    'containers-only-in-videos',
    ['mediabunny', '@ffmpeg/core'],
    ['^libs/videos/', '^apps/sandbox/'],
    'The demuxer and the decoder do not limit what untrusted input makes them allocate; one library sets the limits.',
  ),
  wrapped(
    'c2pa-only-in-credentials',
    ['@contentauth/c2pa-wasm'],
    ['^libs/credentials/'],
    'The library does not limit what a foreign manifest makes it allocate or compute; one thread sets the limits.',
  ),
  wrapped(
    'telemetry-only-in-tracing',
    ['@opentelemetry/[^/]+'],
    ['^libs/tracing/'],
    'Without a collector none of it may be loaded, and one library decides which attributes a span carries.',
  ),
  wrapped(
    'browser-packages-only-in-web',
    ['react', 'react-dom', '@tanstack/react-query'],
    ['^apps/console/web/'],
    'They are bundled into the pages, and an image is installed without them.',
  ),
];
