import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { ROOT } from '../../deploy/build/source-files';
import { KubernetesApi } from './kubernetes-api';
import { kubernetesProblems } from './kubernetes-problems';
import { type Container, type Manifest, podsOf } from './manifest';
import { policyProblems } from './policy-problems';
import { CHART, installChart, renderChart } from './render-chart';

const SECURITY = { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } };
const RESOURCES = { requests: { memory: '64Mi' }, limits: { memory: '64Mi' } };
const container = (name: string): object => ({
  name,
  image: `registry.example.com/${name}:1.2.3`,
  securityContext: SECURITY,
  resources: RESOURCES,
});

describe('values of the chart', () => {
  it('add containers before and beside one component only, and the first kind to the migrations', async () => {
    const manifests = await renderChart({
      values: {
        billing: { initContainers: [container('wait')], sidecars: [container('vault')] },
        migrations: { initContainers: [{ ...container('proxy'), restartPolicy: 'Always' }] },
      },
    });
    expect(await kubernetesProblems(manifests)).toEqual([]);
    expect(policyProblems(manifests)).toEqual([]);
    const names = (containers: Container[] = []) => containers.map(({ name }) => name);
    const added = podsOf(manifests)
      .map(({ owner, spec }) => [
        owner.metadata.name.replace(/^release-kinora-|-\d+-\d+-\d+-\w+$/g, ''),
        ...names(spec.initContainers),
        ...names(spec.containers.slice(1)),
      ])
      .filter(([, ...more]) => more.length > 0);
    const migrations = ['billing', 'catalog', 'jobs', 'moderation', 'webhook-dispatcher'];
    const expected = migrations.flatMap((context) => [`migrate-${context}`, `migrate-quick-${context}`]);
    expect(Object.fromEntries(added.map(([name = '', ...more]) => [name, more]))).toEqual({
      billing: ['wait', 'vault'],
      ...Object.fromEntries(expected.map((name) => [name, ['proxy']])),
    });
  });

  it('annotate the Deployment and the pods of one component', async () => {
    const manifests = await renderChart({
      values: {
        catalog: { deploymentAnnotations: { 'example.com/a': '1' }, podAnnotations: { 'example.com/b': '2' } },
      },
    });
    const deployments = manifests.filter(({ kind }) => kind === 'Deployment');
    expect(deployments.filter(({ metadata }) => metadata.annotations).map(({ metadata }) => metadata)).toEqual([
      expect.objectContaining({ name: 'release-kinora-catalog', annotations: { 'example.com/a': '1' } }),
    ]);
    const annotated = deployments.filter(({ spec }) => spec?.template?.metadata.annotations?.['example.com/b'] === '2');
    expect(annotated.map(({ metadata }) => metadata.name)).toEqual(['release-kinora-catalog']);
  });

  it('lead several hosts to the gateway, each with its certificate', async () => {
    const extraHosts = [
      { host: 'api.example.org', tlsSecretName: 'org' },
      { host: 'plain.example.net' },
      { host: 'second.example.com', tlsSecretName: 'com' },
    ];
    const manifests = await renderChart({
      values: {
        publicUrl: 'https://a.example.com',
        ingress: { enabled: true, host: 'a.example.com', tlsSecretName: 'com', extraHosts },
        gatewayApi: {
          enabled: true,
          host: 'a.example.com',
          extraHosts: ['b.example.com'],
          parentRefs: [{ name: 'g' }],
        },
      },
    });
    expect(await kubernetesProblems(manifests)).toEqual([]);
    const ingress = specOf(manifests, 'Ingress') as { rules: { host: string }[]; tls: object[] };
    const hosts = ['a.example.com', ...extraHosts.map(({ host }) => host)];
    expect(ingress.rules.map(({ host }) => host)).toEqual(hosts);
    expect(new Set(ingress.rules.map(({ host: _, ...rest }) => JSON.stringify(rest))).size).toBe(1);
    expect(ingress.tls).toEqual([
      { secretName: 'com', hosts: ['a.example.com', 'second.example.com'] },
      { secretName: 'org', hosts: ['api.example.org'] },
    ]);
    expect(specOf(manifests, 'HTTPRoute')).toMatchObject({ hostnames: ['a.example.com', 'b.example.com'] });
  });

  it('pass the fields of a load balancer to the gateway alone', async () => {
    const balancer = {
      type: 'LoadBalancer',
      loadBalancerClass: 'service.k8s.aws/nlb',
      loadBalancerSourceRanges: ['203.0.113.0/24', '2001:db8::/32'],
      externalTrafficPolicy: 'Local',
      allocateLoadBalancerNodePorts: false,
      ipFamilyPolicy: 'PreferDualStack',
      ipFamilies: ['IPv6', 'IPv4'],
    };
    const manifests = await renderChart({ values: { service: { ...balancer, port: 443 } } });
    expect(await kubernetesProblems(manifests)).toEqual([]);
    const services = manifests.filter(({ kind }) => kind === 'Service');
    const balanced = services.filter(({ spec }) => spec && 'externalTrafficPolicy' in spec);
    expect(balanced.map(({ metadata }) => metadata.name)).toEqual(['release-kinora-gateway']);
    expect(balanced[0]?.spec).toMatchObject(balancer);
    // Pods listen at all addresses of the families that the Service offers.
    const hosts = (rendered: object) =>
      [...JSON.stringify(rendered).matchAll(/_HOST","value":"([^"]*)"/g)].map(([, host]) => host);
    expect(new Set(hosts(manifests))).toEqual(new Set(['::']));
    expect(new Set(hosts(await renderChart()))).toEqual(new Set(['0.0.0.0']));
    const plain = specOf(await renderChart(), 'Service', 'release-kinora-gateway');
    expect(Object.keys(plain ?? {}).toSorted()).toEqual(['ports', 'selector', 'type']);
    const nodePort = await renderChart({ values: { service: { type: 'NodePort', nodePort: 30_080 } } });
    expect(specOf(nodePort, 'Service', 'release-kinora-gateway')?.ports).toMatchObject([{ nodePort: 30_080 }]);
  });

  it('let pods that are not Ready be evicted, where Kubernetes has the field', async () => {
    const policies = async (kubeVersion: string, values = {}): Promise<unknown[]> =>
      (await renderChart({ kubeVersion, values }))
        .filter(({ kind }) => kind === 'PodDisruptionBudget')
        .map(({ spec }) => (spec as { unhealthyPodEvictionPolicy?: string }).unhealthyPodEvictionPolicy);
    expect(new Set(await policies('1.27.0'))).toEqual(new Set(['AlwaysAllow']));
    expect(new Set(await policies('1.26.9'))).toEqual(new Set([undefined]));
    const budget = { podDisruptionBudget: { unhealthyPodEvictionPolicy: 'IfHealthyBudget' } };
    expect(new Set(await policies('1.30.0', { defaults: budget }))).toEqual(new Set(['IfHealthyBudget']));
  });

  it('place the servers of the release and the operator on nodes', async () => {
    const placement = {
      podAnnotations: { 'example.com/a': '1' },
      podLabels: { team: 'pictures' },
      nodeSelector: { pool: 'stores' },
      tolerations: [{ key: 'stores', operator: 'Exists' }],
      affinity: { nodeAffinity: {} },
      priorityClassName: 'stores',
    };
    const manifests = await renderChart({
      example: 'minimal',
      values: { nats: { server: placement }, trial: { postgres: placement }, operator: placement },
    });
    expect(await kubernetesProblems(manifests)).toEqual([]);
    const { podAnnotations, podLabels, ...scheduling } = placement;
    for (const name of ['nats', 'postgres', 'operator']) {
      const owner = manifests.find(
        ({ metadata, spec }) => spec?.template && metadata.name === `release-kinora-${name}`,
      );
      expect(owner?.spec?.template).toMatchObject({
        metadata: { annotations: podAnnotations, labels: podLabels },
        spec: scheduling,
      });
    }
    const others = podsOf(manifests).filter(({ spec }) => 'priorityClassName' in spec);
    expect(others).toHaveLength(3);
  });

  it('restart the components that read a changed file or credential, and no other', async () => {
    const moderation = 'engines: [{ type: http, url: http://a.gpu.svc:9000/judge, judges: [image] }]\n';
    const files = (catalog: string): object => ({
      operatorFiles: { 'moderation.yaml': moderation, 'catalog.yaml': catalog },
    });
    expect(await changed(files('models: []'), files('models: [ ]'))).toEqual([
      'catalog',
      'jobs-api',
      'jobs-runner',
      'moderation',
    ]);
    const pepper = (value: string): object => ({ secrets: { keyPepper: { value } } });
    expect(await changed(pepper('one'), pepper('two'))).toEqual(['billing']);
  });
});

describe('an existing ConfigMap of operator files', () => {
  const FILES = 'our-files';

  /** The pods that Helm installs at a cluster whose ConfigMap has this content. */
  async function podsWith(text: string): Promise<Record<string, string>> {
    const configMap = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: FILES },
      data: { 'catalog.yaml': text },
    };
    const api = await KubernetesApi.start([configMap]);
    try {
      return templatesOf(await installChart(api.url, { values: { existingOperatorFilesConfigMap: FILES } }));
    } finally {
      await api.stop();
    }
  }

  it('restarts the components that read it when its content has changed, and no other', async () => {
    const [first, same, other] = [await podsWith('a'), await podsWith('a'), await podsWith('b')];
    expect(Object.keys(first)).toHaveLength(8);
    expect(differing(first, same)).toEqual([]);
    expect(differing(first, other)).toEqual(['catalog', 'jobs-api', 'jobs-runner', 'moderation']);
  });
});

describe('Chart.yaml', () => {
  const chart = parse(readFileSync(path.join(CHART, 'Chart.yaml'), 'utf8')) as {
    annotations: Record<string, string>;
    appVersion: string;
    icon: string;
    maintainers: object[];
  };
  const values = parse(readFileSync(path.join(CHART, 'values.yaml'), 'utf8')) as {
    image: { repository: string };
    nats: { server: { image: { repository: string; tag: string } } };
    trial: { postgres: { image: { repository: string; tag: string } } };
  };

  it('tells registries of charts who made it, and which images it installs', () => {
    expect(chart.maintainers).not.toEqual([]);
    expect(JSON.stringify(chart)).not.toMatch(/example\.(com|org)/);
    const icon = Buffer.from(chart.icon.replace('data:image/svg+xml;base64,', ''), 'base64').toString();
    expect(icon).toMatch(/^<svg .*<\/svg>$/);
    const images = parse(chart.annotations['artifacthub.io/images'] ?? '') as { image: string }[];
    const servers = [values.nats.server, values.trial.postgres].map(({ image }) => `${image.repository}:${image.tag}`);
    expect(images.map(({ image }) => image)).toEqual([`${values.image.repository}:${chart.appVersion}`, ...servers]);
  });
});

describe('examples for a cluster', () => {
  const read = (file: string): unknown =>
    parse(readFileSync(path.join(ROOT, 'deploy/examples/cluster', file), 'utf8')) as unknown;

  it('fill every key that the chart reads from the common Secret, and no other', async () => {
    const { apiVersion, spec } = read('external-secret.yaml') as {
      apiVersion: string;
      spec: { target: { name: string }; data: { secretKey: string; remoteRef: { property: string } }[] };
    };
    expect(apiVersion).toBe('external-secrets.io/v1');
    const references = podsOf(await renderChart({ values: { operator: { enabled: true } } }))
      .flatMap(({ spec: pod }) => pod.containers.flatMap(({ env = [] }) => env))
      .flatMap(({ valueFrom }) => valueFrom?.secretKeyRef ?? []);
    expect(new Set(references.map(({ name }) => name))).toEqual(new Set([spec.target.name]));
    const keys = spec.data.map(({ secretKey }) => secretKey);
    expect(keys.toSorted()).toEqual([...new Set(references.map(({ key }) => key))].toSorted());
    expect(spec.data.map(({ remoteRef }) => remoteRef.property)).toEqual(keys);
  });

  it('install the chart by Argo CD with values that it renders', async () => {
    const { spec } = read('argo-cd-application.yaml') as {
      spec: { source: { path: string; targetRevision: string; helm: { releaseName: string; valuesObject: object } } };
    };
    const { helm, ...source } = spec.source;
    expect(path.join(ROOT, source.path)).toBe(CHART);
    const manifests = await renderChart({ values: helm.valuesObject, release: helm.releaseName });
    expect(await kubernetesProblems(manifests)).toEqual([]);
    expect(policyProblems(manifests)).toEqual([]);
    const reloaded = manifests.filter(
      ({ metadata }) => metadata.annotations?.['configmap.reloader.stakater.com/reload'],
    );
    expect(reloaded.map(({ metadata }) => metadata.name).toSorted()).toEqual([
      'kinora-catalog',
      'kinora-jobs-api',
      'kinora-jobs-runner',
      'kinora-moderation',
    ]);
    const jobs = manifests.filter(({ kind }) => kind === 'Job');
    expect(jobs.length).toBeGreaterThanOrEqual(5);
    // A Job cannot be changed, so that each change needs a name of its own.
    expect(jobs.filter(({ metadata }) => !/-[0-9a-f]{6,}$/.test(metadata.name))).toEqual([]);
  });
});

function specOf(manifests: Manifest[], kind: string, name?: string): Manifest['spec'] {
  return manifests.find((it) => it.kind === kind && (name === undefined || it.metadata.name === name))?.spec;
}

/** Components whose pods differ between two sets of values. */
async function changed(...sets: [object, object]): Promise<string[]> {
  const [before = {}, after = {}] = await Promise.all(
    sets.map(async (values) => templatesOf(await renderChart({ values }))),
  );
  return differing(before, after);
}

/** The pods of each component, as text. */
function templatesOf(manifests: Manifest[]): Record<string, string> {
  const deployments = manifests.filter(({ kind }) => kind === 'Deployment');
  return Object.fromEntries(
    deployments.map(({ metadata, spec }) => [
      metadata.name.replace('release-kinora-', ''),
      JSON.stringify(spec?.template),
    ]),
  );
}

function differing(before: Record<string, string>, after: Record<string, string>): string[] {
  return Object.keys(before)
    .filter((name) => before[name] !== after[name])
    .toSorted();
}
