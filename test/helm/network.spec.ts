import { GatewayConfig } from '../../apps/gateway/src/gateway.config';
import { BODY_MAX_BYTES } from '../../apps/gateway/src/body-limits';
import { kubernetesProblems } from './kubernetes-problems';
import { type EgressRule, type Manifest, named, podsOf } from './manifest';
import { policyProblems } from './policy-problems';
import { renderChart } from './render-chart';

const STORES_FILES = ['gateway', 'jobs-api', 'jobs-runner', 'moderation'];
const PRIVATE = '10.0.0.0/8';
const PUBLIC = '0.0.0.0/0';

function egressOf(manifests: Manifest[], component: string): EgressRule[] {
  return named(manifests, 'NetworkPolicy', `release-kinora-${component}`)?.spec?.egress ?? [];
}

/** Whether some rule permits the port to a range. */
function permits(rules: EgressRule[], port: number, cidr: string): boolean {
  return rules.some(
    ({ ports = [], to = [] }) =>
      ports.some((each) => each.port === port) && to.some(({ ipBlock }) => ipBlock?.cidr === cidr),
  );
}

describe('the way to the object store', () => {
  it.each([
    ['AWS', '', 443, false, true],
    ['a Service', 'http://minio:9000', 9000, true, false],
    ['a Service of another namespace', 'http://objects.storage.svc:9000', 9000, true, false],
    ['a Service by its whole name', 'https://objects.storage.svc.cluster.local', 443, true, false],
    ['a private address', 'http://172.20.3.4', 80, true, false],
    ['a private address of IPv6', 'http://[fd00::1]:9000', 9000, true, false],
    ['R2, which has a public host', 'https://account.r2.cloudflarestorage.com', 443, true, true],
    ['a public host at another port', 'https://s3.example.com:9000/', 9000, true, true],
  ])('leads to %s, for each component that stores files', async (_, endpoint, port, isPrivate, isPublic) => {
    const manifests = await renderChart({ values: { storage: { s3: { endpoint } } } });
    for (const component of STORES_FILES) {
      const rules = egressOf(manifests, component);
      expect([component, permits(rules, port, PRIVATE), permits(rules, port, PUBLIC)]).toEqual([
        component,
        isPrivate,
        // Clients name addresses at the internet's own ports to all but moderation.
        isPublic || (component !== 'moderation' && port === 443),
      ]);
    }
    for (const component of ['billing', 'catalog', 'webhook-dispatcher'])
      expect(permits(egressOf(manifests, component), 9000, PRIVATE)).toBe(false);
  });

  it('takes the peers and the port that are named', async () => {
    const to = [{ ipBlock: { cidr: '10.9.0.0/24' } }];
    const storage = { s3: { endpoint: 'https://s3.example.com' } };
    const manifests = await renderChart({ values: { storage, networkPolicy: { objectStore: { port: 9443, to } } } });
    for (const component of STORES_FILES)
      expect(egressOf(manifests, component)).toContainEqual({ ports: [{ protocol: 'TCP', port: 9443 }], to });
  });
});

it('the way to the collector of traces has the port of its address', async () => {
  const telemetry = { traces: { endpoint: 'http://collector.monitoring.svc:4320' } };
  const manifests = await renderChart({ values: { telemetry } });
  expect(permits(egressOf(manifests, 'billing'), 4320, PRIVATE)).toBe(true);
  expect(permits(egressOf(manifests, 'billing'), 4320, PUBLIC)).toBe(false);
});

describe('TLS to a broker elsewhere', () => {
  it('gives each program that connects the files of one Secret', async () => {
    const tls = { existingSecret: 'nats-tls', caKey: 'ca.crt', certKey: 'tls.crt', keyKey: 'tls.key' };
    const manifests = await renderChart({ values: { nats: { tls }, operator: { enabled: true } } });
    expect([...(await kubernetesProblems(manifests)), ...policyProblems(manifests)]).toEqual([]);
    const connected = podsOf(manifests).filter(({ spec }) =>
      spec.containers.some(({ env = [] }) => env.some(({ name }) => name === 'NATS_URL')),
    );
    expect(connected.length).toBeGreaterThanOrEqual(8);
    for (const { spec } of connected) {
      const [{ env, volumeMounts } = { env: [], volumeMounts: [] }] = spec.containers;
      expect(env).toEqual(
        expect.arrayContaining<object>([
          { name: 'NATS_CA', value: '/run/secrets/nats-tls/ca.crt' },
          { name: 'NATS_CERT', value: '/run/secrets/nats-tls/tls.crt' },
          { name: 'NATS_KEY', value: '/run/secrets/nats-tls/tls.key' },
        ]),
      );
      expect(volumeMounts).toContainEqual({ name: 'nats-tls', mountPath: '/run/secrets/nats-tls', readOnly: true });
      expect(spec.volumes).toContainEqual({ name: 'nats-tls', secret: { secretName: 'nats-tls', defaultMode: 288 } });
    }
  });

  it('needs no client certificate', async () => {
    const manifests = await renderChart({ values: { nats: { tls: { existingSecret: 'nats-tls' } } } });
    const variables = podsOf(manifests).flatMap(({ spec }) => spec.containers.flatMap(({ env = [] }) => env));
    expect(variables.some(({ name }) => name === 'NATS_CA')).toBe(true);
    expect(variables.filter(({ name }) => /^NATS_(CERT|KEY)$/.test(name))).toEqual([]);
  });
});

describe('service accounts', () => {
  const ROLE = { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::123456789012:role/files' };
  const accountsOf = (manifests: Manifest[]): Record<string, string | undefined> =>
    Object.fromEntries(
      podsOf(manifests)
        .filter(({ owner }) => owner.kind === 'Deployment')
        .map(({ labels, spec }) => [labels['app.kubernetes.io/component'] ?? '', spec.serviceAccountName]),
    );

  it('have the role of their component and no other one', async () => {
    const values = {
      serviceAccount: { annotations: { team: 'images' } },
      gateway: { serviceAccount: { annotations: ROLE } },
    };
    const manifests = await renderChart({ values });
    const annotated = manifests
      .filter(({ kind, metadata }) => kind === 'ServiceAccount' && metadata.labels?.['app.kubernetes.io/component'])
      .map(({ metadata }) => [metadata.labels?.['app.kubernetes.io/component'], metadata.annotations]);
    expect(Object.fromEntries(annotated)).toMatchObject({
      gateway: { ...ROLE, team: 'images' },
      catalog: { team: 'images' },
    });
    expect(JSON.stringify(annotated).match(/role-arn/g)).toHaveLength(1);
  });

  it('that exist are used, and not created', async () => {
    const manifests = await renderChart({ values: { moderation: { serviceAccount: { name: 'our-moderation' } } } });
    expect(accountsOf(manifests)).toMatchObject({ moderation: 'our-moderation', gateway: 'release-kinora-gateway' });
    const created = manifests.flatMap(({ kind, metadata }) => (kind === 'ServiceAccount' ? [metadata.name] : []));
    expect(created).toContain('release-kinora-gateway');
    expect(created.filter((name) => name.endsWith('moderation'))).toEqual([]);
  });
});

const NGINX = 'nginx.ingress.kubernetes.io/';
const MIB = 1024 * 1024;

const renderKind = async (kind: string, values: object): Promise<Manifest> =>
  (await renderChart({ values })).find((manifest) => manifest.kind === kind) as Manifest;

describe('the way to the gateway', () => {
  const { openAiWaitSeconds } = new GatewayConfig();

  it('has room and time at the Ingress for the largest body and the longest wait, and buffers no answer', async () => {
    const { metadata } = await renderKind('Ingress', { ingress: { enabled: true } });
    const annotation = (name: string): string => metadata.annotations?.[NGINX + name] ?? '';
    expect(annotation('proxy-body-size')).toMatch(/^\d+m$/);
    expect(parseInt(annotation('proxy-body-size')) * MIB).toBeGreaterThan(Math.max(...Object.values(BODY_MAX_BYTES)));
    expect(Number(annotation('proxy-read-timeout'))).toBeGreaterThanOrEqual(openAiWaitSeconds + 10);
    expect(annotation('proxy-buffering')).toBe('off');
  });

  it('has no timeout at the HTTPRoute, unless the operator sets one', async () => {
    const gatewayApi = { enabled: true, parentRefs: [{ name: 'public' }] };
    const rulesOf = async (values: object): Promise<unknown> => {
      const { spec } = await renderKind('HTTPRoute', { gatewayApi: { ...gatewayApi, ...values } });
      return (spec as { rules?: unknown } | undefined)?.rules;
    };
    expect(await rulesOf({})).toMatchObject([{ timeouts: { request: '0s' } }]);
    const later = { timeouts: { request: '300s', backendRequest: '290s' } };
    expect(await rulesOf(later)).toMatchObject([later]);
  });
});
