import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { ROOT } from '../../source-files';
import type { GeneratedFiles } from '../generated-files';
import { limits } from '../../rules';
import { type ServiceSetting, serviceSettings } from './service-settings';
import { chartReadme } from './chart-readme';
import { describeValues } from './describe-values';
import { STORES } from './store-values';
import { readComments } from './value-comments';
import {
  address,
  clientRanges,
  count,
  digest,
  flag,
  free,
  host,
  labels,
  list,
  name,
  named,
  placement,
  port,
  positive,
  ranges,
  record,
  repository,
  store,
  tag,
  text,
  type Schema,
} from './value-types';

const VALUES = 'deploy/helm/kinora/values.yaml';
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
  consoleCustomer: 'console',
  consoleOperator: 'console',
  mcp: 'mcp',
};

/** Variables that are derived from other values, or are for development only: `config` must not contain them. */
const SET_BY_CHART =
  /^(NATS_URL|DATABASE_URL|LOG_LEVEL|OTEL_EXPORTER_OTLP_ENDPOINT|OTEL_TRACES_SAMPLER_ARG|JOBS_ROLES|SANDBOX_HOST|SANDBOX_PORT|KINORA_(NATS_STREAM_REPLICAS|BASE_URL|MCP_(TRANSPORT|HOST|PORT|IMAGE_FOLDER)|CONSOLE_(ROLE|HOST|PORT|URL|GATEWAY_URL)|HEALTH_HOST|HEALTH_PORT|DRAIN_SECONDS|PROFILE|HOST|PORT|PUBLIC_URL|CONFIG_DIR|SANDBOX_URL|EGRESS_ALLOW|OBJECT_STORE|OBJECT_STORE_DIR|S3_.*))$/;

/** Sections that are installed on demand, each with a host of its own. */
const PAGES = new Set(['consoleCustomer', 'consoleOperator', 'mcp']);

const pagesIngress: Schema = {
  ...record({ enabled: flag, className: text, host, tlsSecretName: text, annotations: labels }),
  like: 'ingress',
};

const pagesRoute: Schema = { ...record({ enabled: flag, host, parentRefs: named }), like: 'gatewayApi' };

const POD: Record<string, Schema> = {
  ...placement,
  extraEnv: named,
  extraVolumes: named,
  extraVolumeMounts: named,
  initContainers: named,
};

/** The chart's schema and README. @throws if a value has no description */
export async function chartFiles(): Promise<GeneratedFiles> {
  const comments = readComments(await readFile(path.join(ROOT, VALUES), 'utf8'));
  const schema = describeValues(await valuesSchema(), comments);
  return {
    [VALUES_SCHEMA]: `${JSON.stringify(schema, null, 2)}\n`,
    ...(await chartReadme(schema)),
  };
}

/** The schema of the values. Unknown keys are refused, because they would have no effect. */
async function valuesSchema(): Promise<Schema> {
  const settings = await serviceSettings();
  const sections = Object.entries(PROGRAM_OF_SECTION).map(([section, program]) => [
    section,
    sectionOf(section, settings[program] ?? []),
  ]);
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Values of the Kinora chart',
    ...record({
      ...CLUSTER,
      ...STORES,
      defaults: record(workload([])),
      console: record({ enabled: flag }),
      ...(Object.fromEntries(sections) as Record<string, Schema>),
    }),
  };
}

function sectionOf(section: string, settings: ServiceSetting[]): Schema {
  const fields = record({
    ...workload(settings),
    ...(section === 'jobsRunner' && { collectingPerReplica: positive }),
    ...(section === 'webhookDispatcher' && { lagPerReplica: positive }),
    ...(PAGES.has(section) && { enabled: flag, ingress: pagesIngress }),
    ...(section.startsWith('console') && { url: address, gatewayApi: pagesRoute }),
    ...(section === 'sandbox' && {
      enabled: flag,
      url: address,
      replicaCount: { const: 1 },
      autoscaling: record({ enabled: { const: false } }),
    }),
  });
  return { ...fields, like: 'defaults' };
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
      behavior: free,
    }),
    serviceAccount: record({ name: text, annotations: labels }),
    podDisruptionBudget: record({
      enabled: flag,
      maxUnavailable: positive,
      unhealthyPodEvictionPolicy: { enum: ['AlwaysAllow', 'IfHealthyBudget'] },
    }),
    deploymentAnnotations: labels,
    ...POD,
    sidecars: named,
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

const THRESHOLDS = record(
  Object.fromEntries(
    limits().map(({ alert, summary, unit }) => [
      alert,
      { type: 'number', minimum: 0, description: `${summary} In ${unit}.` },
    ]),
  ),
);

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
      runAsGroup: { type: ['integer', 'null'], minimum: 1 },
      fsGroup: { type: ['integer', 'null'], minimum: 1 },
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
        add: { type: 'array', maxItems: 0, description: 'Must be empty.' },
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
  migrations: {
    ...record({
      enabled: flag,
      useHelmHooks: flag,
      backoffLimit: count,
      activeDeadlineSeconds: positive,
      longSteps: record({ backoffLimit: count, activeDeadlineSeconds: positive }),
      ttlSecondsAfterFinished: count,
      resources: free,
      extraEgress: list,
      ...POD,
    }),
    like: 'defaults',
  },
  service: record({
    type: { enum: ['ClusterIP', 'NodePort', 'LoadBalancer'] },
    port,
    nodePort: { type: 'integer', minimum: 0, maximum: 65_535 },
    annotations: labels,
    loadBalancerClass: text,
    loadBalancerSourceRanges: clientRanges,
    allocateLoadBalancerNodePorts: flag,
    externalTrafficPolicy: { enum: ['', 'Cluster', 'Local'] },
    ipFamilyPolicy: { enum: ['', 'SingleStack', 'PreferDualStack', 'RequireDualStack'] },
    ipFamilies: { type: 'array', items: { enum: ['IPv4', 'IPv6'] }, maxItems: 2, uniqueItems: true },
  }),
  ingress: record({
    enabled: flag,
    className: text,
    host,
    tlsSecretName: text,
    extraHosts: {
      type: 'array',
      items: { ...record({ host, tlsSecretName: text }), required: ['host'], like: 'ingress' },
    },
    annotations: labels,
  }),
  gatewayApi: record({
    enabled: flag,
    host,
    extraHosts: { type: 'array', items: host },
    timeouts: free,
    parentRefs: named,
  }),
  networkPolicy: record({
    enabled: flag,
    gatewayFrom: list,
    consoleFrom: list,
    consoleOperatorFrom: list,
    mcpFrom: list,
    metricsFrom: list,
    dnsTo: list,
    dnsPort: port,
    postgres: store,
    postgresDirect: store,
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
    prometheusRule: record({ enabled: flag, additionalLabels: labels, runbookUrl: text, thresholds: THRESHOLDS }),
    dashboards: record({ enabled: flag, labels }),
  }),
  tests: record({ enabled: flag, sandboxJob: flag }),
  extraObjects: list,
};
