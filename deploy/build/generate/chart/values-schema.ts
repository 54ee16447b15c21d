import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'yaml';
import { limits } from '../../rules';
import { ROOT } from '../../source-files';
import type { GeneratedFiles } from '../generated-files';
import { type Schema, describeValues } from './describe-values';
import { type ServiceSetting, serviceSettings } from './service-settings';
import { readComments } from './value-comments';

const VALUES = 'deploy/helm/kinora/values.yaml';
export const VALUES_SCHEMA = 'deploy/helm/kinora/values.schema.json';

type Values = Record<string, unknown>;

/** The program that each section of the values configures. A section has all fields of `defaults`. */
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

/** Fields of `defaults` that a Job of a migration has too. */
const OF_MIGRATIONS = new Set([
  ...['podAnnotations', 'podLabels', 'nodeSelector', 'tolerations', 'affinity', 'priorityClassName'],
  ...['extraEnv', 'extraVolumes', 'extraVolumeMounts', 'initContainers', 'extraEgress'],
]);

const text = { type: 'string' };
const positive = { type: 'integer', minimum: 1 };
const port = { type: 'integer', minimum: 1, maximum: 65_535 };
const labels = { type: 'object', additionalProperties: text };
const free = { type: 'object' };
const list = { type: 'array', items: free };
const named = {
  type: 'array',
  items: { type: 'object', properties: { name: { ...text, description: 'Its name.' } }, required: ['name'] },
};
const host = { type: 'string', pattern: '^[A-Za-z0-9*]([A-Za-z0-9.-]*[A-Za-z0-9])?$' };
const tag = { type: 'string', pattern: '^([A-Za-z0-9_][A-Za-z0-9._-]{0,127})?$', not: { enum: ['latest'] } };
const ranges = (pattern: string): Schema => ({ type: 'array', items: { type: 'string', pattern } });
const oneOf = (...values: unknown[]): Schema => ({ enum: values });
const store = { ...record({ port, to: list }), like: 'networkPolicy.postgres' };
const id = { type: ['integer', 'null'], minimum: 1 };

/** What the default of a value does not show, by its path; the first match counts. */
const RULES: [path: RegExp, schema: Schema][] = [
  [/^(name|fullname)Override$/, { type: 'string', pattern: '^([a-z]([a-z0-9-]*[a-z0-9])?)?$' }],
  // Other charts read further global values.
  [/^global$/, { type: 'object', properties: { imageRegistry: text, imagePullSecrets: named, labels } }],
  [/^image\.pullPolicy$/, oneOf('Always', 'IfNotPresent', 'Never')],
  [/(^|\.)image\.repository$/, { type: 'string', minLength: 1 }],
  [/^image\.tag$/, tag],
  // The image of a server that is not ours has no version by default.
  [/\.image\.tag$/, { ...tag, minLength: 1 }],
  [/(^|\.)image\.digest$/, { type: 'string', pattern: '^(sha256:[a-f0-9]{64})?$' }],
  [
    /^(publicUrl|\w+\.url|telemetry\.traces\.endpoint|storage\.s3\.(endpoint|publicEndpoint))$/,
    { type: 'string', pattern: '^(https?://[^\\s/?#]+)?/?$' },
  ],
  [/^profile$/, oneOf('local', 'production')],
  [/^logLevel$/, oneOf('trace', 'debug', 'info', 'warn', 'error')],
  [/\.sampleRatio$/, { type: 'number', minimum: 0, maximum: 1 }],
  [/^postgres\.pooler$/, oneOf('none', 'session', 'transaction')],
  [/^nats\.stream\.replicas$/, oneOf(0, 1, 3, 5)],
  [/^storage\.driver$/, oneOf('s3', 'filesystem')],
  [/^storage\.s3\.bucket$/, { type: 'string', pattern: '^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$' }],
  [/^storage\.s3\.region$/, { type: 'string', minLength: 1 }],
  [/\.accessModes$/, { type: 'array', items: oneOf('ReadWriteOnce', 'ReadWriteMany'), minItems: 1 }],
  // It stands in addresses as it is, and the broker reads what begins with a digit as a number.
  [/^trial\.password$/, { type: 'string', pattern: '^([A-Za-z][A-Za-z0-9-]{7,})?$' }],
  [
    /^operatorFiles$/,
    {
      type: 'object',
      additionalProperties: false,
      patternProperties: { '^([a-z0-9][a-z0-9-]*/)*[A-Za-z0-9][A-Za-z0-9.-]*\\.(yaml|json)$': text },
    },
  ],
  [
    /^podSecurityContext$/,
    {
      type: 'object',
      properties: {
        ...{ runAsNonRoot: { const: true }, runAsUser: id, runAsGroup: id, fsGroup: id },
        seccompProfile: {
          type: 'object',
          properties: { type: oneOf('RuntimeDefault', 'Localhost') },
          required: ['type'],
        },
      },
      required: ['runAsNonRoot', 'seccompProfile'],
    },
  ],
  [
    /^containerSecurityContext$/,
    {
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
  ],
  [/^sandbox\.replicaCount$/, { const: 1 }],
  [/^sandbox\.autoscaling$/, record({ enabled: { const: false } })],
  [/\.autoscaling\.kind$/, oneOf('hpa', 'keda')],
  [/\.targetCpuUtilizationPercentage$/, { type: 'integer', minimum: 1, maximum: 100 }],
  [/\.unhealthyPodEvictionPolicy$/, oneOf('AlwaysAllow', 'IfHealthyBudget')],
  [/\.drainSeconds$/, { type: 'integer', minimum: 1, maximum: 600 }],
  [/((min|max)Replicas|maxUnavailable|DeadlineSeconds|GracePeriodSeconds|PerReplica)$/, positive],
  [/^service\.type$/, oneOf('ClusterIP', 'NodePort', 'LoadBalancer')],
  [/^service\.nodePort$/, { type: 'integer', minimum: 0, maximum: 65_535 }],
  [/\.loadBalancerSourceRanges$/, ranges('^[0-9A-Fa-f:.]+/[0-9]{1,3}$')],
  [/\.externalTrafficPolicy$/, oneOf('', 'Cluster', 'Local')],
  [/\.ipFamilyPolicy$/, oneOf('', 'SingleStack', 'PreferDualStack', 'RequireDualStack')],
  [/\.ipFamilies$/, { type: 'array', items: oneOf('IPv4', 'IPv6'), maxItems: 2, uniqueItems: true }],
  [/(^|\.)(port|dnsPort)$/, port],
  [/\.internetPorts$/, { type: 'array', items: port, minItems: 1 }],
  [/^networkPolicy\.(traces|objectStore)$/, { ...store, required: ['to'] }],
  [/^networkPolicy\.compute$/, { type: 'array', items: { ...store, required: ['port', 'to'] } }],
  [/\.ipv4$/, ranges('^[0-9.]+/[0-9]{1,2}$')],
  [/\.ipv6$/, ranges('^[0-9A-Fa-f:.]+/[0-9]{1,3}$')],
  [/\.host$/, host],
  [
    /^ingress\.extraHosts$/,
    {
      type: 'array',
      items: { ...record({ host, tlsSecretName: text }), required: ['host'], like: 'ingress' },
    },
  ],
  [/^gatewayApi\.extraHosts$/, { type: 'array', items: host }],
  [/\.(extraEnv|extraVolumes|extraVolumeMounts|initContainers|sidecars|parentRefs)$/, named],
  [/(labels|Labels|annotations|Annotations|nodeSelector)$/, labels],
  [/\.(resources|affinity|behavior|timeouts)$/, free],
  [
    /\.thresholds$/,
    record(
      Object.fromEntries(
        limits().map(({ alert, summary, unit }) => [
          alert,
          { type: 'number', minimum: 0, description: `${summary} In ${unit}.` },
        ]),
      ),
    ),
  ],
];

/** The value whose comments describe the fields of another one, where these have none. */
const LIKE: [path: RegExp, like: string][] = [
  [/^(nats\.server|trial\.postgres|operator|migrations)$/, 'defaults'],
  [/\.image$/, 'image'],
  [/^(nats\.server|trial\.postgres)\.storage$/, 'storage.filesystem'],
  [/\.ingress$/, 'ingress'],
  [/\.gatewayApi$/, 'gatewayApi'],
  [/^networkPolicy\.(postgresDirect|nats)$/, 'networkPolicy.postgres'],
  [/^networkPolicy\.neverRanges$/, 'networkPolicy.privateRanges'],
];
const CREDENTIAL = 'secrets.urlSigningKey';

/** The chart's schema. @throws if a value has no description */
export async function chartFiles(): Promise<GeneratedFiles> {
  const written = await readFile(path.join(ROOT, VALUES), 'utf8');
  const schema = describeValues(await valuesSchema(parse(written) as Values), readComments(written));
  return { [VALUES_SCHEMA]: `${JSON.stringify(schema, null, 2)}\n` };
}

/** The schema of the values. Unknown keys are refused, because they would have no effect. */
async function valuesSchema(values: Values): Promise<Schema> {
  const settings = await serviceSettings();
  const defaults = values['defaults'] as Values;
  const ofMigrations = Object.entries(defaults).filter(([name]) => OF_MIGRATIONS.has(name));
  const schemas = Object.entries(values).map(([name, value]) => {
    if (name === 'defaults') return [name, sectionOf(name, defaults, [])];
    if (name === 'migrations')
      return [name, schemaOf({ ...Object.fromEntries(ofMigrations), ...(value as Values) }, name)];
    const program = PROGRAM_OF_SECTION[name];
    if (program === undefined) return [name, schemaOf(value, name)];
    const section = sectionOf(name, { ...defaults, ...(value as Values) }, settings[program] ?? []);
    return [name, { ...section, like: 'defaults' }];
  });
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Values of the Kinora chart',
    ...record(Object.fromEntries(schemas) as Record<string, Schema>),
  };
}

/** The values of a workload, of which `config` has the variables that its program reads. */
function sectionOf(name: string, { config: _, ...values }: Values, settings: ServiceSetting[]): Schema {
  const variables = settings.filter(({ env, isSecret }) => !isSecret && !SET_BY_CHART.test(env));
  const config = variables.map(({ env, type, description }) => [env, { type, description }] as const);
  const { properties } = schemaOf(values, name) as { properties: Record<string, Schema> };
  return record({ ...properties, config: record(Object.fromEntries(config)) });
}

function schemaOf(value: unknown, place: string): Schema {
  const rule = RULES.find(([pattern]) => pattern.test(place))?.[1];
  if (rule) return rule;
  if (Array.isArray(value)) return list;
  if (typeof value !== 'object' || value === null) return typeOf(value, place);
  const fields = Object.entries(value).map(([name, field]) => [name, schemaOf(field, `${place}.${name}`)] as const);
  const like = 'secretKey' in value ? CREDENTIAL : LIKE.find(([pattern]) => pattern.test(place))?.[1];
  return { ...record(Object.fromEntries(fields)), ...(like !== undefined && { like }) };
}

function typeOf(value: unknown, place: string): Schema {
  if (typeof value === 'boolean') return { type: 'boolean' };
  if (typeof value === 'number') return { type: 'integer', minimum: 0 };
  // A credential whose key has no name by default is optional.
  return place.endsWith('.secretKey') && value !== '' ? { ...text, minLength: 1 } : text;
}

function record(properties: Record<string, Schema>): Schema {
  return { type: 'object', additionalProperties: false, properties };
}
