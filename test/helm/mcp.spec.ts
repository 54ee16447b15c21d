import { type EgressRule, type Manifest, named, podsOf } from './manifest';
import { renderChart } from './render-chart';

const NAME = 'release-kinora-mcp';
const ON = { mcp: { enabled: true } };

const egressOf = (manifests: Manifest[]): EgressRule[] => named(manifests, 'NetworkPolicy', NAME)?.spec?.egress ?? [];
const portsOf = (rules: EgressRule[]): unknown[] => rules.flatMap(({ ports = [] }) => ports.map(({ port }) => port));

describe('mcp', () => {
  it('is off by default', async () => {
    const manifests = await renderChart();
    expect(manifests.filter(({ metadata }) => metadata.name.includes('mcp'))).toEqual([]);
  });

  it('calls the gateway with no credential, and is probed where it serves', async () => {
    const manifests = await renderChart({ values: ON });
    const [pod] = podsOf(manifests.filter(({ kind, metadata }) => kind === 'Deployment' && metadata.name === NAME));
    const container = pod?.spec.containers[0];
    expect(container?.env).toEqual([
      { name: 'KINORA_MCP_TRANSPORT', value: 'http' },
      { name: 'KINORA_MCP_HOST', value: '0.0.0.0' },
      { name: 'KINORA_MCP_PORT', value: '8090' },
      { name: 'KINORA_BASE_URL', value: 'http://release-kinora-gateway:80/v1' },
    ]);
    for (const probe of [container?.startupProbe, container?.livenessProbe, container?.readinessProbe])
      expect(probe?.httpGet).toEqual({ path: '/healthz', port: 'http' });
    expect(named(manifests, 'Service', NAME)?.spec?.ports).toMatchObject([{ port: 8090, targetPort: 'http' }]);
    expect(named(manifests, 'PodDisruptionBudget', NAME)).toBeDefined();
    expect(manifests.filter(({ metadata }) => metadata.name === `${NAME}-internal`)).toEqual([]);
  });

  it('reaches DNS, the gateway and the files of outputs, and neither the broker nor a database', async () => {
    const withBroker = { ...ON, nats: { enabled: true } };
    const aws = egressOf(await renderChart({ values: withBroker }));
    expect(portsOf(aws)).toEqual([53, 53, 8080, 443]);
    const s3 = { endpoint: 'http://minio:9000', publicEndpoint: 'https://files.example.com:9443' };
    // Links name the public endpoint, which mcp reads as any client does.
    const links = egressOf(await renderChart({ values: { ...withBroker, storage: { s3 } } }));
    expect(portsOf(links)).toEqual([53, 53, 8080, 9443]);
    const volume = egressOf(
      await renderChart({
        values: { ...withBroker, storage: { driver: 'filesystem' }, publicUrl: 'https://api.example.com' },
      }),
    );
    expect(portsOf(volume)).toEqual([53, 53, 8080, 443]);
    expect(JSON.stringify([aws, links, volume])).not.toContain('"nats"');
  });

  it('is at a host of its own where that is on, for the peers that are named', async () => {
    const mcpFrom = [{ podSelector: { matchLabels: { app: 'ingress' } } }];
    const values = { mcp: { enabled: true, ingress: { enabled: true, host: 'agents.example.com' } } };
    const manifests = await renderChart({ values: { ...values, networkPolicy: { mcpFrom } } });
    expect(named(manifests, 'Ingress', NAME)?.spec).toMatchObject({
      rules: [{ host: 'agents.example.com', http: { paths: [{ backend: { service: { name: NAME } } }] } }],
    });
    expect(named(manifests, 'NetworkPolicy', NAME)?.spec?.ingress).toEqual([
      { ports: [{ protocol: 'TCP', port: 'http' }], from: mcpFrom },
    ]);
    expect(named(await renderChart({ values: ON }), 'Ingress', NAME)).toBeUndefined();
  });
});
