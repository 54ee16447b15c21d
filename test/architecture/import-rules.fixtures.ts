/** A file, an import that the rule refuses there, and a similar import that it allows. */
export interface ImportFixture {
  rule: string;
  importer: string;
  refused: string;
  allowed: string;
  /** The imports of the refused file itself. */
  refusedImports?: string;
}

export const IMPORT_FIXTURES: ImportFixture[] = [
  {
    rule: 'app-not-to-app',
    importer: 'apps/jobs/src/job/job-status.ts',
    refused: '../../../billing/src/wallet/wallet-status',
    allowed: './job-kind',
  },
  {
    rule: 'lib-not-to-app',
    importer: 'libs/bus/src/bus.ts',
    refused: '../../../apps/jobs/src/job/job-status',
    allowed: './deadline',
  },
  {
    rule: 'lib-by-its-face',
    importer: 'apps/jobs/src/job/job-status.ts',
    refused: '../../../../libs/bus/src/deadline',
    allowed: '@kinora/bus',
  },
  {
    rule: 'lib-by-its-face',
    importer: 'libs/database/src/outbox/outbox.relay.ts',
    refused: '../../../bus/src/deadline',
    allowed: '../transaction',
  },
  {
    rule: 'lib-by-its-face',
    importer: 'apps/cli/src/stack/stack-client.ts',
    refused: '../../../../libs/bus/src/bus',
    allowed: '@kinora/bus/client',
  },
  {
    rule: 'lib-by-its-face',
    importer: 'apps/jobs/test/routing.spec.ts',
    refused: '../../../libs/compute/src/sandbox/fake-sandbox.fixtures',
    allowed: '@kinora/compute/fixtures',
  },
  {
    rule: 'contracts-are-leaf',
    importer: 'libs/contracts/src/jobs/job.ts',
    refused: '@nestjs/common',
    allowed: 'class-validator',
  },
  {
    rule: 'contracts-are-leaf',
    importer: 'libs/contracts/src/jobs/job.ts',
    refused: '@kinora/bus',
    allowed: '../shared/money',
  },
  {
    rule: 'client-stands-alone',
    importer: 'libs/sdk-typescript/src/jobs.ts',
    refused: '@kinora/contracts/shared/errors',
    allowed: './transport',
  },
  {
    rule: 'client-stands-alone',
    importer: 'libs/sdk-typescript/src/transport.ts',
    refused: 'undici',
    allowed: 'node:crypto',
  },
  contextMap('gateway', 'jobs', 'moderation'),
  // Jobs may import the contracts of every context that has any.
  contextMap('jobs', 'moderation', 'sandbox'),
  contextMap('billing', 'billing', 'jobs'),
  contextMap('moderation', 'shared', 'jobs'),
  contextMap('catalog', 'catalog', 'billing'),
  contextMap('webhook-dispatcher', 'jobs', 'catalog'),
  contextMap('console', 'billing', 'sandbox'),
  contextMap('mcp', 'shared', 'jobs'),
  contextMap('sandbox', 'shared', 'jobs'),
  {
    rule: 'console-half-not-to-half',
    importer: 'apps/console/src/customer/sign-in.use-case.ts',
    refused: '../operator/operator-bus',
    allowed: './customer-bus',
  },
  {
    rule: 'compute-only-in-jobs',
    importer: 'apps/catalog/src/catalog/load-catalog.ts',
    refused: '@kinora/compute',
    allowed: '@kinora/service-kit',
  },
  {
    rule: 'adapter-not-to-adapter',
    importer: 'libs/compute/src/fal/fal.provider.ts',
    refused: '../replicate/replicate-prediction',
    allowed: '../hosted-model/model-template',
  },
  {
    rule: 'adapter-not-to-adapter',
    importer: 'libs/compute/src/runpod/plain-worker.ts',
    refused: '../comfyui/graph',
    allowed: '../http/json-answer',
  },
  {
    rule: 'use-case-not-to-use-case',
    importer: 'apps/jobs/src/use-cases/cancel-job/cancel-job.use-case.ts',
    refused: '../finish-job/finish-job.use-case',
    allowed: './decide-cancel',
  },
  {
    rule: 'use-case-not-to-use-case',
    importer: 'apps/jobs/src/ending/use-cases/cancel-job.use-case.ts',
    refused: '../../intake/use-cases/create-job.use-case',
    allowed: '../job-ending',
  },
  {
    rule: 'use-case-not-to-use-case',
    importer: 'apps/jobs/src/ending/use-cases/cancel-job.use-case.ts',
    refused: './finish-job.use-case',
    allowed: '../../job/job.repository',
  },
  {
    rule: 'noun-not-to-use-case',
    importer: 'apps/jobs/src/job/job.repository.ts',
    refused: '../use-cases/cancel-job/cancel-job.use-case',
    allowed: '../idempotency/idempotency-key.repository',
  },
  {
    rule: 'noun-not-to-use-case',
    importer: 'apps/jobs/src/ending/job-ending.ts',
    refused: './use-cases/cancel-job.use-case',
    allowed: './settlement',
  },
  {
    rule: 'controller-not-to-storage',
    importer: 'apps/jobs/src/jobs.controller.ts',
    refused: './job/job.repository',
    allowed: './use-cases/cancel-job/cancel-job.use-case',
  },
  {
    rule: 'sql-driver-only-in-database',
    importer: 'apps/jobs/src/job/job.repository.ts',
    refused: 'pg',
    allowed: '@kinora/database',
  },
  {
    rule: 'typeorm-only-in-storage',
    importer: 'apps/billing/src/use-cases/change-account.use-case.ts',
    refused: 'typeorm',
    allowed: '@kinora/database',
  },
  {
    rule: 'typeorm-only-in-storage',
    importer: 'apps/billing/src/billing.controller.ts',
    refused: '@nestjs/typeorm',
    allowed: '@kinora/database',
  },
  {
    rule: 'sql-driver-only-in-database',
    importer: 'libs/testing/src/fresh-database.ts',
    refused: 'pg',
    allowed: '@kinora/database',
  },
  {
    rule: 'web-alone',
    importer: 'apps/console/web/src/api/client.ts',
    refused: '@kinora/contracts/jobs/job',
    allowed: '../formatting/money',
  },
  {
    rule: 'web-not-in-services',
    importer: 'apps/console/src/http/web.controller.ts',
    refused: '../../web/src/api/client',
    allowed: './security-headers',
  },
  {
    rule: 'browser-packages-only-in-web',
    importer: 'apps/console/src/http/web.controller.ts',
    refused: 'react',
    allowed: './security-headers',
  },
  {
    rule: 'nats-only-in-bus',
    importer: 'libs/service-kit/src/health/nats.indicator.ts',
    refused: 'nats',
    allowed: '@kinora/bus',
  },
  {
    rule: 'prom-client-only-in-metrics',
    importer: 'apps/gateway/src/http/http.metrics.ts',
    refused: 'prom-client',
    allowed: '@kinora/metrics',
  },
  {
    rule: 'sharp-only-where-pixels-are',
    importer: 'apps/gateway/src/image-input/image-input.service.ts',
    refused: 'sharp',
    allowed: '@kinora/images',
  },
  {
    rule: 'containers-only-in-videos',
    importer: 'apps/jobs/src/collecting/output-intake.ts',
    refused: 'mediabunny',
    allowed: '@kinora/videos',
  },
  {
    rule: 'telemetry-only-in-tracing',
    importer: 'libs/database/src/database.ts',
    refused: '@opentelemetry/api',
    allowed: '@kinora/tracing',
  },
  {
    rule: 'no-barrel-in-app',
    importer: 'apps/jobs/src/jobs.module.ts',
    refused: './job/index',
    allowed: './job/job.repository',
  },
  {
    rule: 'no-barrel-in-app',
    importer: 'apps/jobs/src/jobs.controller.ts',
    refused: '@kinora/contracts/jobs/index',
    allowed: '@kinora/contracts/jobs/jobs.rpc',
  },
  {
    rule: 'no-circular',
    importer: 'apps/jobs/src/job/job.view.ts',
    refused: './job-status',
    allowed: './job-kind',
    refusedImports: './job.view',
  },
  {
    rule: 'no-folder-cycle',
    importer: 'apps/jobs/src/job/job-ending.ts',
    refused: '../attempt/attempt.row',
    allowed: './job.entity',
    refusedImports: '../job/job-status',
  },
  {
    rule: 'no-folder-cycle',
    importer: 'apps/jobs/src/job/job-ending.ts',
    refused: '../attempt/rows/attempt.row',
    allowed: './rows/job.entity',
    refusedImports: '../../job/rows/job-status',
  },
  {
    rule: 'not-to-spec',
    importer: 'apps/jobs/src/job/job.view.spec.ts',
    refused: './job-status.spec',
    allowed: './job-status',
  },
  {
    rule: 'not-to-testing',
    importer: 'apps/jobs/src/job/job.repository.ts',
    refused: '@kinora/testing',
    allowed: '@kinora/database',
  },
  {
    rule: 'not-to-testing',
    importer: 'apps/jobs/src/job/job.repository.ts',
    refused: '../jobs-service.fixtures',
    allowed: './job.entity',
  },
  {
    rule: 'not-to-deploy-or-test',
    importer: 'apps/cli/src/doctor/doctor.command.ts',
    refused: '../../../../deploy/local/stack-file',
    allowed: './stack-file',
  },
  {
    rule: 'not-to-deploy-or-test',
    importer: 'apps/jobs/src/job/job.repository.spec.ts',
    refused: '../../../../test/support/harness',
    allowed: '@kinora/testing',
  },
  {
    rule: 'no-dev-dependency-in-production',
    importer: 'apps/jobs/src/job/job-status.ts',
    refused: 'fast-check',
    allowed: 'uuid',
  },
  {
    rule: 'no-unlisted-package',
    importer: 'apps/jobs/src/job/job-status.ts',
    refused: 'iterare',
    allowed: 'rxjs',
  },
];

function contextMap(app: string, known: string, unknown: string): ImportFixture {
  return {
    rule: `context-map-${app}`,
    importer: `apps/${app}/src/${app}.controller.ts`,
    refused: `@kinora/contracts/${unknown}/${unknown}.rpc`,
    allowed: `@kinora/contracts/${known}/${known}.rpc`,
  };
}
