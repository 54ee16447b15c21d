import { brokerUsers, passwordVariable } from '../../deploy/build/generate/broker/authorization-file';
import { dashboards, ruleGroups } from '../../deploy/build/rules';
import { kubernetesProblems, MINORS, unknownFields } from './kubernetes-problems';
import { type Manifest, podsOf } from './manifest';
import { policyProblems } from './policy-problems';
import { INLINE, INSTALLATIONS } from './installations';
import { brokerComplaint, lintChart, renderChart } from './render-chart';
import { type ServiceSetting, serviceSettings } from '../../deploy/build/generate/chart/service-settings';
import { settingsProblems } from './settings-problems';

/** The broker does not start without the password of one of its users, and the console is off by default. */
const usersWithoutConsole = async () => (await brokerUsers()).filter(({ user }) => !user.startsWith('console-'));

describe('chart', () => {
  let settings: Record<string, ServiceSetting[]>;

  beforeAll(async () => {
    settings = await serviceSettings();
  });

  describe.each(INSTALLATIONS)('with %s', (_, options) => {
    let manifests: Manifest[];

    beforeAll(async () => {
      manifests = await renderChart(options);
    });

    it('renders valid Kubernetes manifests', async () => {
      expect(manifests.length).toBeGreaterThan(20);
      expect(await kubernetesProblems(manifests)).toEqual([]);
    });

    it('has only fields that each Kubernetes of the chart knows', async () => {
      for (const minor of MINORS) {
        const rendered = await renderChart({ ...options, kubeVersion: `1.${minor}.0` });
        expect(unknownFields(rendered, minor)).toEqual([]);
      }
    });

    it('gives every object a valid and unique name', () => {
      const names = manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
      expect(names.filter((name) => !/^\w+ [a-z][a-z0-9-]{0,61}[a-z0-9]$/.test(name))).toEqual([]);
      expect(new Set(names).size).toBe(names.length);
    });

    it('violates no policy', () => {
      expect(policyProblems(manifests)).toEqual([]);
    });

    it('gives every program the settings that it reads, and no other', () => {
      expect(settingsProblems(manifests, settings)).toEqual([]);
    });

    it('passes the linter', async () => {
      await expect(lintChart(options)).resolves.toContain('0 chart(s) failed');
    });
  });

  it('lets only the gateway, jobs and the webhook dispatcher reach the internet, and none of them a private address there', async () => {
    const manifests = await renderChart();
    const open = manifests.filter(
      ({ kind, spec }) => kind === 'NetworkPolicy' && JSON.stringify(spec).includes('0.0.0.0/0'),
    );
    expect(open.map(({ metadata }) => metadata.labels?.['app.kubernetes.io/component']).sort()).toEqual([
      'gateway',
      'jobs-api',
      'jobs-runner',
      // Its objects lie at AWS, which has public addresses.
      'moderation',
      'webhook-dispatcher',
    ]);
    for (const { spec } of open)
      for (const { ipBlock } of (spec?.egress ?? []).flatMap(({ to = [] }) => to))
        if (ipBlock?.cidr === '0.0.0.0/0')
          expect(ipBlock.except).toEqual(
            expect.arrayContaining(['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16', '127.0.0.0/8']),
          );
  });

  it('gives moderation no access to the internet where the objects lie elsewhere', async () => {
    const manifests = await renderChart({ example: 'gpu' });
    const moderation = manifests.find(
      ({ kind, metadata }) => kind === 'NetworkPolicy' && metadata.name.endsWith('moderation'),
    );
    expect(JSON.stringify(moderation)).not.toContain('0.0.0.0/0');
  });

  it('gives each context only its own credentials', async () => {
    const pods = podsOf(await renderChart()).filter(({ owner }) => owner.kind === 'Deployment');
    const keys = pods.map(({ spec, labels }) => [
      labels['app.kubernetes.io/component'],
      spec.containers
        .flatMap(({ env = [] }) => env.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef?.key ?? []))
        .sort(),
    ]);
    expect(Object.fromEntries(keys)).toEqual({
      gateway: ['nats-url-gateway', 's3-access-key-id', 's3-secret-access-key', 'url-signing-key'],
      'jobs-api': [
        'database-url-jobs',
        'nats-url-jobs',
        'quote-key',
        'receipt-key',
        's3-access-key-id',
        's3-secret-access-key',
        'url-signing-key',
      ],
      'jobs-runner': [
        'database-url-jobs',
        'nats-url-jobs',
        's3-access-key-id',
        's3-secret-access-key',
        'url-signing-key',
      ],
      billing: ['database-url-billing', 'key-pepper', 'nats-url-billing'],
      moderation: ['database-url-moderation', 'nats-url-moderation', 's3-access-key-id', 's3-secret-access-key'],
      catalog: ['database-url-catalog', 'nats-url-catalog'],
      'webhook-dispatcher': ['database-url-webhook-dispatcher', 'nats-url-webhook-dispatcher'],
      sandbox: [],
    });
  });

  it('gives the second key of a rotation only to the service that accepts it, and to none without a rotation', async () => {
    const accepted = {
      urlSigningKeyAccepted: { secretKey: 'next-url' },
      keyPepperAccepted: { secretKey: 'next-pepper' },
      receiptKeyNext: { secretKey: 'next-receipt' },
      quoteKeyAccepted: { secretKey: 'next-quote' },
    };
    const ownersOf = async (values: object) =>
      podsOf(await renderChart({ values })).flatMap(({ owner, spec }) =>
        spec.containers.flatMap(({ env = [] }) =>
          env.filter(({ name }) => /_(ACCEPTED|NEXT)$/.test(name)).map(({ name }) => [owner.metadata.name, name]),
        ),
      );

    expect(await ownersOf({})).toEqual([]);
    expect((await ownersOf({ secrets: accepted })).toSorted()).toEqual([
      ['release-kinora-billing', 'KINORA_KEY_PEPPER_ACCEPTED'],
      ['release-kinora-gateway', 'KINORA_URL_SIGNING_KEY_ACCEPTED'],
      ['release-kinora-jobs-api', 'KINORA_QUOTE_KEY_ACCEPTED'],
      ['release-kinora-jobs-api', 'KINORA_RECEIPT_KEY_NEXT'],
    ]);
  });

  it('gives the key of content credentials and the token of the marker to the runner alone', async () => {
    const markerToken = { secretKey: 'marker' };
    const secrets = { c2paCertificate: { secretKey: 'chain' }, c2paKey: { secretKey: 'key' }, markerToken };
    const owners = podsOf(await renderChart({ values: { secrets } })).flatMap(({ owner, spec }) =>
      spec.containers.flatMap(({ env = [] }) =>
        env.filter(({ name }) => /^KINORA_(C2PA|MARKER)_/.test(name)).map(({ name }) => [owner.metadata.name, name]),
      ),
    );
    expect(owners.toSorted()).toEqual([
      ['release-kinora-jobs-api', 'KINORA_C2PA_CERTIFICATE'],
      ['release-kinora-jobs-runner', 'KINORA_C2PA_CERTIFICATE'],
      ['release-kinora-jobs-runner', 'KINORA_C2PA_KEY'],
      ['release-kinora-jobs-runner', 'KINORA_MARKER_TOKEN'],
      ['release-kinora-moderation', 'KINORA_C2PA_CERTIFICATE'],
    ]);
  });

  it('gives credentials as files, each only to its own context, and the broker every password', async () => {
    const manifests = await renderChart({ values: { secrets: { asFiles: true }, nats: { enabled: true } } });
    const jobs = podsOf(manifests).find(({ owner }) => owner.metadata.name === 'release-kinora-jobs-api');
    const files = jobs?.spec.volumes?.flatMap(({ projected }) => projected?.sources ?? []);
    expect(files?.map(({ secret }) => [secret?.name, secret?.items[0]?.key, secret?.items[0]?.path])).toEqual([
      ['kinora', 'database-url-jobs', 'DATABASE_URL'],
      ['kinora', 'quote-key', 'KINORA_QUOTE_KEY'],
      ['kinora', 'receipt-key', 'KINORA_RECEIPT_KEY'],
      ['kinora', 's3-access-key-id', 'KINORA_S3_ACCESS_KEY_ID'],
      ['kinora', 's3-secret-access-key', 'KINORA_S3_SECRET_ACCESS_KEY'],
      ['kinora', 'url-signing-key', 'KINORA_URL_SIGNING_KEY'],
      ['kinora', 'nats-url-jobs', 'NATS_URL'],
    ]);
    const env = jobs?.spec.containers[0]?.env ?? [];
    expect(env.filter(({ valueFrom }) => valueFrom)).toEqual([]);
    expect(env).toContainEqual({ name: 'NATS_URL_FILE', value: '/run/secrets/kinora/NATS_URL' });
    const broker = podsOf(manifests).find(({ owner }) => owner.kind === 'StatefulSet');
    const passwords = (await usersWithoutConsole()).map(({ user }) => passwordVariable(user));
    expect(broker?.spec.containers[0]?.env?.map(({ name }) => name)).toEqual(passwords.toSorted());
  });

  it('starts its own broker with a configuration that NATS accepts, and admits only its own pods and operators', async () => {
    const manifests = await renderChart({ values: { nats: { enabled: true } } });
    const mounted = manifests.filter(({ metadata }) => /-nats(-authorization)?$/.test(metadata.name));
    const files = Object.assign({}, ...mounted.map(({ data }) => data)) as Record<string, string>;
    expect(Object.keys(files)).toEqual(['nats-authorization.conf', 'nats.conf']);
    const passwords = (await usersWithoutConsole()).map(({ user }) => [passwordVariable(user), 'trial']);
    expect(await brokerComplaint(files, Object.fromEntries(passwords))).toBe('');
    expect(await brokerComplaint(files, {})).toContain('NATS_PASSWORD_');
    const policy = manifests.find(({ kind, metadata }) => kind === 'NetworkPolicy' && metadata.name.endsWith('-nats'));
    expect(policy?.spec?.ingress).toHaveLength(1);
    expect(policy?.spec?.egress).toBeUndefined();
  });

  it('creates the Secret before the migrations that need it, and references only that one or the given ones', async () => {
    const manifests = await renderChart({ values: INLINE });
    const [secret] = manifests.filter(({ kind }) => kind === 'Secret');
    expect(secret?.metadata.annotations?.['helm.sh/hook-weight']).toBe('-10');
    const references = podsOf(manifests)
      .flatMap(({ spec }) => spec.containers)
      .flatMap(({ env = [] }) => env.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef ?? []));
    expect(references.length).toBeGreaterThan(10);
    for (const { name, key } of references) {
      expect(name).toBe(secret?.metadata.name);
      expect(Object.keys(secret?.stringData ?? {})).toContain(key);
    }
  });

  it('applies the common values to services and migrations: nodes, variables, volumes', async () => {
    const tolerations = [{ key: 'kinora', operator: 'Exists' }];
    const defaults = {
      tolerations,
      priorityClassName: 'important',
      extraEnv: [{ name: 'NODE_EXTRA_CA_CERTS', value: '/authority/ca.crt' }],
      extraVolumes: [{ name: 'authority', secret: { secretName: 'authority' } }],
      extraVolumeMounts: [{ name: 'authority', mountPath: '/authority' }],
    };
    const manifests = await renderChart({ values: { defaults } });
    expect(await kubernetesProblems(manifests)).toEqual([]);
    const pods = podsOf(manifests).filter(({ owner }) => ['Deployment', 'Job'].includes(owner.kind));
    expect(pods).toHaveLength(18);
    for (const { spec } of pods) {
      expect(spec).toMatchObject({ tolerations, priorityClassName: 'important' });
      expect(spec.volumes).toContainEqual(defaults.extraVolumes[0]);
      expect(spec.containers[0]?.env).toContainEqual(defaults.extraEnv[0]);
      expect(spec.containers[0]?.volumeMounts).toContainEqual(defaults.extraVolumeMounts[0]);
    }
  });

  it('passes the complete rules to Prometheus and the dashboards to Grafana, for the namespace of the release', async () => {
    const manifests = await renderChart({ example: 'production' });
    const [rules] = manifests.filter(({ kind }) => kind === 'PrometheusRule');
    const written = JSON.stringify(rules?.spec);
    expect(written).not.toContain('__NAMESPACE__');
    const shown = manifests.filter(({ metadata }) => metadata.labels?.grafana_dashboard === '1');
    const installed = shown.flatMap(({ data = {} }) => Object.values(data)).map((text) => JSON.parse(text) as object);
    expect(installed).toEqual(expect.arrayContaining(dashboards()));
    for (const { record, alert } of ruleGroups().flatMap(({ rules: all }) => all))
      expect(written).toContain(JSON.stringify(record ?? alert));
  });

  it('renders the templates in further objects', async () => {
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: '{{ .Release.Name }}-extra' } };
    const manifests = await renderChart({ values: { extraObjects: [object] } });
    expect(manifests.map(({ metadata }) => metadata.name)).toContain('release-extra');
  });

  it('links each alert to the runbook at the address where the operator publishes it', async () => {
    const runbookUrl = 'https://wiki.example.com/kinora';
    const manifests = await renderChart({ values: { metrics: { prometheusRule: { enabled: true, runbookUrl } } } });
    const written = JSON.stringify(manifests.find(({ kind }) => kind === 'PrometheusRule')?.spec);
    expect(written).toContain(`"runbook_url":"${runbookUrl}#`);
    expect(written).not.toContain('docs/runbook.md');
  });
});
