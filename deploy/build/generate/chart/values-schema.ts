import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { ROOT } from '../../source-files';
import type { GeneratedFiles } from '../generated-files';
import { type ServiceSetting, serviceSettings } from './service-settings';

type Schema = Record<string, unknown>;

export const VALUES_SCHEMA = 'deploy/helm/kinora/values.schema.json';

/** The program that each section of the values configures. */
const PROGRAM_OF_SECTION: Record<string, string> = {
  gateway: 'gateway',
  jobsApi: 'jobs',
  jobsRunner: 'jobs',
  billing: 'billing',
  moderation: 'moderation',
  catalog: 'catalog',
  webhookDispatcher: 'webhook-dispatcher',
  sandbox: 'sandbox',
};

/** Variables that are derived from other values, or are for development only: `config` must not contain them. */
const SET_BY_CHART =
  /^(NATS_URL|DATABASE_URL|LOG_LEVEL|OTEL_EXPORTER_OTLP_ENDPOINT|OTEL_TRACES_SAMPLER_ARG|JOBS_ROLES|SANDBOX_HOST|SANDBOX_PORT|KINORA_(HEALTH_HOST|HEALTH_PORT|DRAIN_SECONDS|PROFILE|HOST|PORT|PUBLIC_URL|CONFIG_DIR|SANDBOX_URL|EGRESS_ALLOW|OBJECT_STORE|OBJECT_STORE_DIR|S3_.*))$/;

const text = { type: 'string' };
const flag = { type: 'boolean' };
const count = { type: 'integer', minimum: 0 };
const positive = { type: 'integer', minimum: 1 };
const port = { type: 'integer', minimum: 1, maximum: 65_535 };
const name = { type: 'string', pattern: '^([a-z]([a-z0-9-]*[a-z0-9])?)?$' };
const labels = { type: 'object', additionalProperties: text };
const free = { type: 'object' };
const list = { type: 'array', items: free };
const named = { type: 'array', items: { type: 'object', properties: { name: text }, required: ['name'] } };
const host = { type: 'string', pattern: '^[A-Za-z0-9*]([A-Za-z0-9.-]*[A-Za-z0-9])?$' };
const address = { type: 'string', pattern: '^(https?://[^\\s/?#]+)?/?$' };

const digest = { type: 'string', pattern: '^(sha256:[a-f0-9]{64})?$' };
const tag = { type: 'string', pattern: '^([A-Za-z0-9_][A-Za-z0-9._-]{0,127})?$', not: { enum: ['latest'] } };
const repository = { type: 'string', minLength: 1 };
const credential = record({ existingSecret: text, secretKey: { type: 'string', minLength: 1 }, value: text });
const optionalCredential = record({ existingSecret: text, secretKey: text, value: text });
const store = record({ port, to: list });
const ranges = record({
  ipv4: { type: 'array', items: { type: 'string', pattern: '^[0-9.]+/[0-9]{1,2}$' } },
  ipv6: { type: 'array', items: { type: 'string', pattern: '^[0-9A-Fa-f:.]+/[0-9]{1,3}$' } },
});

/** Values of every pod except the broker's. */
const POD: Record<string, Schema> = {
  podAnnotations: labels,
  podLabels: labels,
  nodeSelector: labels,
  tolerations: list,
  affinity: free,
  priorityClassName: text,
  extraEnv: named,
  extraVolumes: named,
  extraVolumeMounts: named,
};

/** The schema of the values. Unknown keys are refused, because they would have no effect. */
export async function valuesSchema(): Promise<GeneratedFiles> {
  const settings = await serviceSettings();
  const sections = Object.entries(PROGRAM_OF_SECTION).map(([section, program]) => [
    section,
    sectionOf(section, settings[program] ?? []),
  ]);
  const schema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Values of the Kinora chart',
    ...record({
      ...CLUSTER,
      ...STORES,
      defaults: record(workload([])),
      ...(Object.fromEntries(sections) as Record<string, Schema>),
    }),
  };
  return { [VALUES_SCHEMA]: `${JSON.stringify(schema, null, 2)}\n`, ...(await trialScripts()) };
}

/** A chart cannot read files outside of itself, so it gets copies of the scripts of compose. */
async function trialScripts(): Promise<GeneratedFiles> {
  const sources = ['deploy/docker/create-contexts.sh', 'deploy/postgres/contexts.sql'];
  const copies = sources.map(async (source) => [
    `deploy/helm/kinora/files/postgres/${path.basename(source)}`,
    await readFile(path.join(ROOT, source), 'utf8'),
  ]);
  return Object.fromEntries(await Promise.all(copies)) as GeneratedFiles;
}

function record(properties: Record<string, Schema>): Schema {
  return { type: 'object', additionalProperties: false, properties };
}

function sectionOf(section: string, settings: ServiceSetting[]): Schema {
  return record({
    ...workload(settings),
    ...(section === 'jobsRunner' && { backlogPerReplica: positive }),
    ...(section === 'webhookDispatcher' && { lagPerReplica: positive }),
    ...(section === 'sandbox' && {
      enabled: flag,
      url: address,
      replicaCount: { const: 1 },
      autoscaling: record({ enabled: { const: false } }),
    }),
  });
}

function workload(settings: ServiceSetting[]): Record<string, Schema> {
  return {
    replicaCount: count,
    resources: free,
    autoscaling: record({
      enabled: flag,
      kind: { enum: ['hpa', 'keda'] },
      minReplicas: positive,
      maxReplicas: positive,
      targetCpuUtilizationPercentage: { type: 'integer', minimum: 1, maximum: 100 },
    }),
    serviceAccount: record({ name: text, annotations: labels }),
    podDisruptionBudget: record({ enabled: flag, maxUnavailable: positive }),
    ...POD,
    topologySpreadConstraints: list,
    terminationGracePeriodSeconds: positive,
    preStopSeconds: count,
    drainSeconds: { type: 'integer', minimum: 1, maximum: 600 },
    tmpSizeLimit: text,
    config: record(Object.fromEntries(settings.filter(isFree).map((setting) => [setting.env, valueOf(setting)]))),
    extraEnvFrom: list,
    extraEgress: list,
  };
}

function isFree({ env, isSecret }: ServiceSetting): boolean {
  return !isSecret && !SET_BY_CHART.test(env);
}

function valueOf({ type, description }: ServiceSetting): Schema {
  return { type, description };
}

const CLUSTER: Record<string, Schema> = {
  nameOverride: name,
  fullnameOverride: name,
  global: { type: 'object', properties: { imageRegistry: text, imagePullSecrets: named, labels } },
  image: record({
    repository,
    tag,
    digest,
    pullPolicy: { enum: ['Always', 'IfNotPresent', 'Never'] },
  }),
  publicUrl: address,
  profile: { enum: ['local', 'production'] },
  telemetry: record({
    traces: record({ endpoint: address, sampleRatio: { type: 'number', minimum: 0, maximum: 1 } }),
  }),
  logLevel: { enum: ['trace', 'debug', 'info', 'warn', 'error'] },
  serviceAccount: record({ annotations: labels }),
  podSecurityContext: {
    type: 'object',
    properties: {
      runAsNonRoot: { const: true },
      runAsUser: { type: ['integer', 'null'], minimum: 1 },
      seccompProfile: {
        type: 'object',
        properties: { type: { enum: ['RuntimeDefault', 'Localhost'] } },
        required: ['type'],
      },
    },
    required: ['runAsNonRoot', 'seccompProfile'],
  },
  containerSecurityContext: {
    type: 'object',
    properties: {
      allowPrivilegeEscalation: { const: false },
      privileged: { const: false },
      readOnlyRootFilesystem: { const: true },
      capabilities: record({
        drop: { type: 'array', contains: { const: 'ALL' } },
        add: { type: 'array', maxItems: 0 },
      }),
    },
    required: ['allowPrivilegeEscalation', 'readOnlyRootFilesystem', 'capabilities'],
  },
  operatorFiles: {
    type: 'object',
    additionalProperties: false,
    patternProperties: { '^([a-z0-9][a-z0-9-]*/)*[A-Za-z0-9][A-Za-z0-9.-]*\\.(yaml|json)$': text },
  },
  existingOperatorFilesConfigMap: text,
  migrations: record({
    enabled: flag,
    useHelmHooks: flag,
    backoffLimit: count,
    activeDeadlineSeconds: positive,
    ttlSecondsAfterFinished: count,
    resources: free,
    ...POD,
  }),
  service: record({ type: { enum: ['ClusterIP', 'NodePort', 'LoadBalancer'] }, port, annotations: labels }),
  ingress: record({ enabled: flag, className: text, host, tlsSecretName: text, annotations: labels }),
  gatewayApi: record({ enabled: flag, host, parentRefs: named }),
  networkPolicy: record({
    enabled: flag,
    gatewayFrom: list,
    metricsFrom: list,
    dnsTo: list,
    postgres: store,
    nats: store,
    traces: { ...store, required: ['to'] },
    objectStore: { ...store, required: ['to'] },
    internetPorts: { type: 'array', items: port, minItems: 1 },
    compute: { type: 'array', items: { ...store, required: ['port', 'to'] } },
    privateRanges: ranges,
    neverRanges: ranges,
  }),
  metrics: record({
    serviceMonitor: record({ enabled: flag, interval: text, additionalLabels: labels, metricRelabelings: list }),
    prometheusRule: record({ enabled: flag, additionalLabels: labels, runbookUrl: text }),
    dashboards: record({ enabled: flag, labels }),
  }),
  tests: record({ enabled: flag }),
  extraObjects: list,
};

const NATS_USERS: Record<string, Schema> = {
  gateway: credential,
  jobs: credential,
  billing: credential,
  moderation: credential,
  catalog: credential,
  webhookDispatcher: credential,
};

const STORES: Record<string, Schema> = {
  secrets: record({
    existingSecret: text,
    asFiles: flag,
    urlSigningKey: credential,
    keyPepper: credential,
    urlSigningKeyAccepted: optionalCredential,
    keyPepperAccepted: optionalCredential,
    stripeSecretKey: credential,
  }),
  postgres: record({
    perContext: record({
      jobs: credential,
      billing: credential,
      moderation: credential,
      catalog: credential,
      webhookDispatcher: credential,
    }),
  }),
  nats: record({
    enabled: flag,
    server: record({
      image: record({ repository, tag: { ...tag, minLength: 1 }, digest }),
      storage: record({ size: text, storageClassName: text }),
      resources: free,
      passwords: record({ ...NATS_USERS, operator: credential }),
    }),
    authorizationConfigMap: flag,
    monitoringEndpoint: text,
    account: text,
    tls: record({ existingSecret: text, caKey: text, certKey: text, keyKey: text }),
    perService: record({ ...NATS_USERS, operator: credential }),
  }),
  storage: record({
    driver: { enum: ['s3', 'filesystem'] },
    s3: record({
      bucket: { type: 'string', pattern: '^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$' },
      region: { type: 'string', minLength: 1 },
      endpoint: address,
      publicEndpoint: address,
      pathStyle: flag,
      prefix: text,
      useCredentials: flag,
      accessKeyId: credential,
      secretAccessKey: credential,
    }),
    filesystem: record({
      existingClaim: text,
      storageClassName: text,
      accessModes: { type: 'array', items: { enum: ['ReadWriteOnce', 'ReadWriteMany'] }, minItems: 1 },
      size: text,
    }),
  }),
  trial: record({
    enabled: flag,
    // It stands in addresses as it is, and the broker reads what begins with a digit as a number.
    password: { type: 'string', pattern: '^([A-Za-z][A-Za-z0-9-]{7,})?$' },
    postgres: record({
      image: record({ repository, tag: { ...tag, minLength: 1 }, digest }),
      storage: record({ size: text, storageClassName: text }),
      resources: free,
    }),
  }),
  operator: record({ enabled: flag, resources: free }),
};
