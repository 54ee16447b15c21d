import { lintChart, renderChart } from './render-chart';

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
  it.each<[object, RegExp]>([
    [{ gatway: {} }, /gatway/],
    [{ billing: { config: { KINORA_PAYMENT: 'none' } } }, /KINORA_PAYMENT/],
    [{ jobsRunner: { config: { JOBS_COLLECTORS: 'many' } } }, /JOBS_COLLECTORS/],
    [{ gateway: { config: { KINORA_EGRESS_ALLOW: '10.0.0.0/8' } } }, /KINORA_EGRESS_ALLOW/],
    [{ gateway: { config: { NATS_URL: 'nats://n' } } }, /NATS_URL/],
    [{ image: { tag: 'latest' } }, /image\.tag/],
    [{ podSecurityContext: { runAsNonRoot: false } }, /runAsNonRoot/],
    [{ containerSecurityContext: { readOnlyRootFilesystem: false } }, /readOnlyRoot/],
    [{ podSecurityContext: { seccompProfile: { type: 'Unconfined' } } }, /seccompProfile\.type/],
    [{ containerSecurityContext: { capabilities: { add: ['NET_ADMIN'] } } }, /capabilities\.add/],
    [{ fullnameOverride: 'Pictures' }, /fullnameOverride/],
    [{ networkPolicy: { privateRanges: { ipv4: ['10.0.0.0'] } } }, /privateRanges/],
    [{ gateway: { extraEnv: [{ value: 'x' }] } }, /extraEnv/],
    [{ gateway: { replicaCount: 'two' } }, /replicaCount/],
    [{ sandbox: { replicaCount: 2 } }, /replicaCount/],
    [{ gateway: { terminationGracePeriodSeconds: 30 } }, /terminationGracePeriodSeconds/],
    [{ gateway: { extraEnv: [{ name: 'KINORA_DRAIN_SECONDS', value: '300' }] } }, /set gateway\.drainSeconds/],
    [{ billing: { podDisruptionBudget: { maxUnavailable: 2 } } }, /maxUnavailable/],
    [
      { storage: { driver: 'filesystem', filesystem: { accessModes: ['ReadWriteOnce'] } } },
      /gateway\.replicaCount to 1/,
    ],
    [{ trial: { enabled: true, password: 'for-trials' } }, /nats\.enabled to true/],
    [{ trial: { enabled: true, password: 'for-trials' }, nats: { enabled: true } }, /useHelmHooks to false/],
    [{ trial: { enabled: true }, nats: { enabled: true }, migrations: { useHelmHooks: false } }, /trial\.password/],
    [{ nats: { enabled: true, tls: { existingSecret: 'tls' } } }, /nats\.tls is for a broker elsewhere/],
    [{ trial: { password: '1e1000000' } }, /trial\.password/],
    [{ service: { loadBalancerClass: 'nlb' } }, /type to LoadBalancer/],
    [{ service: { externalTrafficPolicy: 'Local' } }, /NodePort/],
    [{ ingress: { extraHosts: [{ tlsSecretName: 'a' }] } }, /host is required/],
    [{ secrets: { existingSecret: '' } }, /existingSecret/],
    [{ ...CONSOLE, ...roleOf('consoleCustomer') }, /serves the half/],
    [{ consoleOperator: { config: { KINORA_CONSOLE_ROLE: 'both' } } }, /CONSOLE_ROLE/],
    [shared({ className: 'nginx' }), /IngressClass that no public/],
    [shared({}), /IngressClass that no public/],
    [shared({ className: 'own', host: 'API.example.com' }), /also a host of ingress/],
    [
      shared({ className: 'own', host: 'kinora-console.example.com' }, { enabled: true }),
      /also a host of consoleCustomer\.ingress/,
    ],
    [shared({ className: 'pages' }, { enabled: true, className: 'pages' }), /IngressClass that no public/],
    [
      { ...CONSOLE, ...PUBLIC, consoleCustomer: { ingress: { enabled: true, host: 'more.example.com' } } },
      /consoleCustomer\.ingress\.host is also a host of ingress/,
    ],
    [
      {
        gatewayApi: { enabled: true, host: 'api.example.com', parentRefs: [{ name: 'g' }] },
        mcp: { enabled: true, ingress: { enabled: true, host: 'api.example.com' } },
      },
      /mcp\.ingress\.host is also a host of gatewayApi/,
    ],
    [{ mcp: { config: { KINORA_MCP_IMAGE_FOLDER: '/' } } }, /IMAGE_FOLDER/],
    [{ gatewayApi: { enabled: true } }, /parentRefs/],
    [{ ...CONSOLE, consoleCustomer: { gatewayApi: { enabled: true } } }, /consoleCustomer\.gatewayApi\.parentRefs/],
    [
      {
        ...CONSOLE,
        ...PUBLIC,
        consoleCustomer: { gatewayApi: { enabled: true, host: 'more.example.com', parentRefs: [{ name: 'g' }] } },
      },
      /consoleCustomer\.gatewayApi\.host is also a host of ingress/,
    ],
    [
      {
        ...CONSOLE,
        gatewayApi: { enabled: true, host: 'api.example.com', parentRefs: [{ name: 'g', namespace: 'edge' }] },
        consoleOperator: operatorsAt({ name: 'g', namespace: 'edge', sectionName: 'internal' }),
      },
      /consoleOperator\.gatewayApi\.parentRefs names the Gateway edge\/g, which serves a public route/,
    ],
    [
      {
        ...CONSOLE,
        consoleCustomer: { gatewayApi: { enabled: true, host: 'pages.example.com', parentRefs: [{ name: 'g' }] } },
        consoleOperator: operatorsAt({ name: 'g' }),
      },
      /which serves a public route/,
    ],
  ])('refuses %j with %p', async (values, message) => {
    await expect(renderChart({ values })).rejects.toThrow(message);
  });

  it('takes its defaults alone, which are for production', async () => {
    await expect(lintChart()).resolves.toContain('0 chart(s) failed');
    await expect(renderChart()).resolves.toContainEqual(
      expect.objectContaining({
        kind: 'Deployment',
        metadata: expect.objectContaining({ name: 'release-kinora-moderation' }),
      }),
    );
  });
});
