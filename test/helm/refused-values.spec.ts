import { renderChart } from './render-chart';

const CONSOLE = { console: { enabled: true } };
const PUBLIC = {
  ingress: {
    enabled: true,
    className: 'nginx',
    host: 'api.example.com',
    extraHosts: [{ host: 'more.example.com' }],
  },
};
const roleOf = (section: string): object => ({
  [section]: { extraEnv: [{ name: 'KINORA_CONSOLE_ROLE', value: 'both' }] },
});
/** An Ingress of the operators' half beside the public one. */
const shared = (ingress: object, customers = {}): object => ({
  ...CONSOLE,
  ...PUBLIC,
  consoleCustomer: { ingress: customers },
  consoleOperator: { ingress: { enabled: true, ...ingress } },
});
/** A route to the operators' half. */
const operatorsAt = (gateway: object): object => ({
  gatewayApi: { enabled: true, host: 'operators.example.com', parentRefs: [gateway] },
});

describe('the chart', () => {
  it.each([
    ['an unknown value', { gatway: {} }, /gatway/],
    ['a setting that the service does not have', { billing: { config: { KINORA_PAYMENT: 'none' } } }, /KINORA_PAYMENT/],
    ['a setting of the wrong type', { jobsRunner: { config: { JOBS_COLLECTORS: 'many' } } }, /JOBS_COLLECTORS/],
    [
      'a setting for development',
      { gateway: { config: { KINORA_EGRESS_ALLOW: '10.0.0.0/8' } } },
      /KINORA_EGRESS_ALLOW/,
    ],
    ['a setting that the chart sets', { gateway: { config: { NATS_URL: 'nats://n' } } }, /NATS_URL/],
    ['an image without a fixed version', { image: { tag: 'latest' } }, /image\.tag/],
    ['root', { podSecurityContext: { runAsNonRoot: false } }, /runAsNonRoot/],
    ['a writable root file system', { containerSecurityContext: { readOnlyRootFilesystem: false } }, /readOnlyRoot/],
    ['no seccomp profile', { podSecurityContext: { seccompProfile: { type: 'Unconfined' } } }, /seccompProfile\.type/],
    ['capabilities', { containerSecurityContext: { capabilities: { add: ['NET_ADMIN'] } } }, /capabilities\.add/],
    ['a name with capitals', { fullnameOverride: 'Pictures' }, /fullnameOverride/],
    ['an address instead of a range', { networkPolicy: { privateRanges: { ipv4: ['10.0.0.0'] } } }, /privateRanges/],
    ['a variable without a name', { gateway: { extraEnv: [{ value: 'x' }] } }, /extraEnv/],
    ['replicas as text', { gateway: { replicaCount: 'two' } }, /replicaCount/],
    ['two sandboxes', { sandbox: { replicaCount: 2 } }, /replicaCount/],
    [
      'a grace shorter than the drain',
      { gateway: { terminationGracePeriodSeconds: 30 } },
      /terminationGracePeriodSeconds/,
    ],
    [
      'a drain that the grace is not checked against',
      { gateway: { extraEnv: [{ name: 'KINORA_DRAIN_SECONDS', value: '300' }] } },
      /set gateway\.drainSeconds/,
    ],
    [
      'a disruption budget of all replicas',
      { billing: { podDisruptionBudget: { maxUnavailable: 2 } } },
      /maxUnavailable/,
    ],
    ['moderation without an engine', { operatorFiles: { 'moderation.yaml': 'engines: []' } }, /judges images/],
    [
      'an engine for text alone',
      { operatorFiles: { 'moderation.yaml': 'engines: [{ type: http, url: http://a, judges: [text] }]' } },
      /judges images/,
    ],
    [
      'two pods at a volume for one node',
      { storage: { driver: 'filesystem', filesystem: { accessModes: ['ReadWriteOnce'] } } },
      /gateway\.replicaCount to 1/,
    ],
    ['a trial without its broker', { trial: { enabled: true, password: 'for-trials' } }, /nats\.enabled to true/],
    [
      'a trial that is migrated before its PostgreSQL exists',
      { trial: { enabled: true, password: 'for-trials' }, nats: { enabled: true } },
      /useHelmHooks to false/,
    ],
    [
      'a trial without a password',
      { trial: { enabled: true }, nats: { enabled: true }, migrations: { useHelmHooks: false } },
      /trial\.password/,
    ],
    [
      'TLS to the broker of the release, which has none',
      { nats: { enabled: true, tls: { existingSecret: 'tls' } } },
      /nats\.tls is for a broker elsewhere/,
    ],
    ['a password that the broker reads as a number', { trial: { password: '1e1000000' } }, /trial\.password/],
    ['a class of load balancers without one', { service: { loadBalancerClass: 'nlb' } }, /type to LoadBalancer/],
    [
      'a policy for traffic from nodes without a port there',
      { service: { externalTrafficPolicy: 'Local' } },
      /NodePort/,
    ],
    ['a further host without a name', { ingress: { extraHosts: [{ tlsSecretName: 'a' }] } }, /host is required/],
    ['no Secret at all', { secrets: { existingSecret: '' } }, /existingSecret/],
    [
      'a half of the console that is the other half as well',
      { ...CONSOLE, ...roleOf('consoleCustomer') },
      /serves the half/,
    ],
    [
      'a role of the console in its settings',
      { consoleOperator: { config: { KINORA_CONSOLE_ROLE: 'both' } } },
      /CONSOLE_ROLE/,
    ],
    ['the operators at the class of the public Ingress', shared({ className: 'nginx' }), /IngressClass that no public/],
    ['the operators at no class, which is the default one', shared({}), /IngressClass that no public/],
    [
      'the operators at a host of the API',
      shared({ className: 'own', host: 'API.example.com' }),
      /also a host of ingress/,
    ],
    [
      'the operators at the host of the customers',
      shared({ className: 'own', host: 'kinora-console.example.com' }, { enabled: true }),
      /also a host of consoleCustomer\.ingress/,
    ],
    [
      'the operators at the class of the customers',
      shared({ className: 'pages' }, { enabled: true, className: 'pages' }),
      /IngressClass that no public/,
    ],
    [
      'the customers at a host of the API',
      { ...CONSOLE, ...PUBLIC, consoleCustomer: { ingress: { enabled: true, host: 'more.example.com' } } },
      /consoleCustomer\.ingress\.host is also a host of ingress/,
    ],
    [
      'mcp at the host of a route',
      {
        gatewayApi: { enabled: true, host: 'api.example.com', parentRefs: [{ name: 'g' }] },
        mcp: { enabled: true, ingress: { enabled: true, host: 'api.example.com' } },
      },
      /mcp\.ingress\.host is also a host of gatewayApi/,
    ],
    [
      'a file of the server in the settings of mcp',
      { mcp: { config: { KINORA_MCP_IMAGE_FOLDER: '/' } } },
      /IMAGE_FOLDER/,
    ],
    ['a route without a Gateway', { gatewayApi: { enabled: true } }, /parentRefs/],
    [
      'a route to the console without a Gateway',
      { ...CONSOLE, consoleCustomer: { gatewayApi: { enabled: true } } },
      /consoleCustomer\.gatewayApi\.parentRefs/,
    ],
    [
      'a route to the console at a host of the API',
      {
        ...CONSOLE,
        ...PUBLIC,
        consoleCustomer: { gatewayApi: { enabled: true, host: 'more.example.com', parentRefs: [{ name: 'g' }] } },
      },
      /consoleCustomer\.gatewayApi\.host is also a host of ingress/,
    ],
    [
      'a route to the operators at the Gateway of the API, whatever its listener',
      {
        ...CONSOLE,
        gatewayApi: { enabled: true, host: 'api.example.com', parentRefs: [{ name: 'g', namespace: 'edge' }] },
        consoleOperator: operatorsAt({ name: 'g', namespace: 'edge', sectionName: 'internal' }),
      },
      /consoleOperator\.gatewayApi\.parentRefs names the Gateway edge\/g, which serves a public route/,
    ],
    [
      'a route to the operators at the Gateway of the customers',
      {
        ...CONSOLE,
        consoleCustomer: { gatewayApi: { enabled: true, host: 'pages.example.com', parentRefs: [{ name: 'g' }] } },
        consoleOperator: operatorsAt({ name: 'g' }),
      },
      /which serves a public route/,
    ],
  ])('refuses %s', async (_, values, message) => {
    await expect(renderChart({ values })).rejects.toThrow(message);
  });

  it('refuses its defaults alone, and says what they lack', async () => {
    await expect(renderChart({ example: null })).rejects.toThrow(/add one \(docs\/operate\/moderation\.md\)/);
  });

  it('takes files that it cannot read, and the profile local, without an engine', async () => {
    const unreadable = { profile: 'production', existingOperatorFilesConfigMap: 'our-files' };
    for (const values of [unreadable, { profile: 'local' }])
      await expect(renderChart({ example: null, values })).resolves.not.toEqual([]);
  });
});
