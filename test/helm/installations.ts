import type { RenderOptions } from './render-chart';

const CONTEXTS = ['jobs', 'billing', 'moderation', 'catalog', 'webhookDispatcher'];
const inTheClear = (names: string[]): object => Object.fromEntries(names.map((name) => [name, { value: 'trial' }]));
/** Credentials as values, and none from a Secret of the operator's. */
export const INLINE = {
  secrets: { existingSecret: '', ...inTheClear(['urlSigningKey', 'keyPepper', 'receiptKey', 'quoteKey']) },
  postgres: { perContext: inTheClear(CONTEXTS) },
  nats: { perService: inTheClear([...CONTEXTS, 'gateway', 'operator']) },
  storage: { s3: { useCredentials: false } },
};
const SINGLE = { replicaCount: 1 };

/** Value sets of operators: the examples, and sets for the values that the examples do not use. */
export const INSTALLATIONS: [string, RenderOptions][] = [
  ['only an engine beside the defaults', {}],
  ['the example minimal', { example: 'minimal' }],
  ['the example production', { example: 'production' }],
  ['the example gpu', { example: 'gpu' }],
  ['the oldest cluster', { example: 'production', kubeVersion: '1.25.0' }],
  ['a trial with secrets as files', { example: 'minimal', values: { secrets: { asFiles: true } } }],
  [
    'names of the greatest length, keys of S3 as files, and a broker',
    {
      release: `pictures.${'of-long-names-'.repeat(3)}1`,
      values: { nats: { enabled: true }, secrets: { asFiles: true }, migrations: { useHelmHooks: false } },
    },
  ],
  [
    'a console and mcp of many replicas, with hosts of their own',
    {
      example: 'production',
      values: {
        console: { enabled: true },
        consoleCustomer: { ingress: { enabled: true }, autoscaling: { enabled: true, kind: 'hpa' } },
        consoleOperator: { replicaCount: 2, ingress: { enabled: true, className: 'operators' } },
        mcp: { enabled: true, ingress: { enabled: true } },
        secrets: { consoleSetupToken: { secretKey: 'console-setup-token' } },
        networkPolicy: { consoleOperatorFrom: [{ podSelector: {} }] },
      },
    },
  ],
  [
    'every switch inverted',
    {
      values: {
        fullnameOverride: 'pictures',
        console: { enabled: true },
        mcp: { enabled: true },
        sandbox: { enabled: false },
        migrations: { enabled: false },
        networkPolicy: { gatewayFrom: [{ podSelector: {} }] },
        tests: { enabled: false },
        nats: { authorizationConfigMap: false },
        storage: { driver: 'filesystem', filesystem: { existingClaim: 'files' } },
        existingOperatorFilesConfigMap: 'our-files',
        gateway: { ...SINGLE, podDisruptionBudget: { enabled: false }, config: { KINORA_BODIES_MAX_BYTES: 1e9 } },
        jobsRunner: { autoscaling: { enabled: true, kind: 'hpa' } },
      },
    },
  ],
];
