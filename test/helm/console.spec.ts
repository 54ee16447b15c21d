import { brokerUsers, passwordVariable } from '../../deploy/build/generate/broker/authorization-file';
import { type EgressRule, type Manifest, named, podsOf } from './manifest';
import { brokerComplaint, renderChart } from './render-chart';

const ON = { console: { enabled: true } };
const CUSTOMER = 'release-kinora-console-customer';
const OPERATOR = 'release-kinora-console-operator';

const policyOf = (manifests: Manifest[], name: string): Manifest['spec'] =>
  named(manifests, 'NetworkPolicy', name)?.spec;
const ofConsole = (manifests: Manifest[]): string[] =>
  manifests
    .filter(({ metadata }) => /console/.test(metadata.name))
    .map(({ kind, metadata }) => `${kind} ${metadata.name}`);

function variablesOf(manifests: Manifest[], deployment: string): Record<string, string | undefined> {
  const [pod] = podsOf(manifests.filter(({ kind, metadata }) => kind === 'Deployment' && metadata.name === deployment));
  const env = pod?.spec.containers[0]?.env ?? [];
  return Object.fromEntries(env.map(({ name, value, valueFrom }) => [name, value ?? valueFrom?.secretKeyRef?.key]));
}

function componentsReached(rules: EgressRule[] = []): string[] {
  const selectors = rules.flatMap(({ to = [] }) => to).map(({ podSelector }) => podSelector);
  return selectors.flatMap((selector) => selector?.matchLabels?.['app.kubernetes.io/component'] ?? []);
}

const reachesPublicAddresses = (rules: EgressRule[] = []): boolean =>
  rules.some(({ to = [] }) => to.some(({ ipBlock }) => ipBlock?.cidr === '0.0.0.0/0'));

describe('people', () => {
  it('sign up by e-mail where the operator says so', async () => {
    const values = {
      ...ON,
      secrets: { smtpUrl: { secretKey: 'smtp-url' }, consoleCustomerOidcClientSecret: { secretKey: 'oidc' } },
      billing: { config: { KINORA_SIGN_UP: 'open', KINORA_MAIL_FROM: 'no-reply@example.com' } },
      consoleCustomer: { url: 'https://console.example.com/' },
    };
    const manifests = await renderChart({ values });
    expect(variablesOf(manifests, 'release-kinora-billing')).toMatchObject({
      KINORA_SMTP_URL: 'smtp-url',
      KINORA_SIGN_UP: 'open',
      KINORA_MAIL_CONSOLE_URL: 'https://console.example.com',
    });
    expect(variablesOf(manifests, CUSTOMER)).toMatchObject({
      KINORA_SIGN_UP: 'open',
      KINORA_CONSOLE_CUSTOMER_OIDC_CLIENT_SECRET: 'oidc',
    });
  });
});

describe('the console', () => {
  it('leaves no object, user or credential in an installation without it', async () => {
    const manifests = await renderChart({ values: { nats: { enabled: true } } });
    expect(ofConsole(manifests)).toEqual([]);
    expect(JSON.stringify(manifests)).not.toMatch(/console-(customer|operator)|CONSOLE_(CUSTOMER|OPERATOR)/);
  });

  it('runs each half with a role, a user and credentials of its own', async () => {
    const secrets = { consoleSetupToken: { secretKey: 'setup' }, consoleOidcClientSecret: { secretKey: 'oidc' } };
    const manifests = await renderChart({ values: { ...ON, secrets, publicUrl: 'https://api.example.com' } });
    const [customer, operator] = [CUSTOMER, OPERATOR].map((name) => variablesOf(manifests, name));
    const shared = {
      DATABASE_URL: 'database-url-console',
      KINORA_CONSOLE_GATEWAY_URL: 'http://release-kinora-gateway:80',
      KINORA_PUBLIC_URL: 'https://api.example.com',
    };
    expect(customer).toMatchObject({
      ...shared,
      KINORA_CONSOLE_ROLE: 'customer',
      KINORA_CONSOLE_URL: 'http://127.0.0.1:8081',
      NATS_URL: 'nats-url-console-customer',
    });
    expect(operator).toMatchObject({
      ...shared,
      KINORA_CONSOLE_ROLE: 'operator',
      KINORA_CONSOLE_URL: 'http://127.0.0.1:8082',
      NATS_URL: 'nats-url-console-operator',
      KINORA_CONSOLE_SETUP_TOKEN: 'setup',
      KINORA_CONSOLE_OIDC_CLIENT_SECRET: 'oidc',
    });
    expect(Object.keys(customer ?? {}).filter((name) => /TOKEN|OIDC/.test(name))).toEqual([]);
  });

  it('has one half only where the other one is off', async () => {
    const manifests = await renderChart({ values: { ...ON, consoleOperator: { enabled: false } } });
    expect(ofConsole(manifests)).toContain(`Deployment ${CUSTOMER}`);
    expect(ofConsole(manifests).filter((name) => name.includes('operator'))).toEqual([]);
  });

  it('is reached by `helm test`, which checks the half for customers only', async () => {
    const from = [{ namespaceSelector: { matchLabels: { name: 'edge' } } }];
    const networkPolicy = { consoleFrom: from, consoleOperatorFrom: from };
    const manifests = await renderChart({ values: { ...ON, networkPolicy } });
    const [test] = podsOf(manifests.filter(({ kind }) => kind === 'Pod'));
    const url = test?.spec.containers[0]?.env?.find(({ name }) => name === 'CONSOLE_URL')?.value;
    expect(url).toBe(`http://${CUSTOMER}:8081`);
    expect(componentsReached(policyOf(manifests, 'release-kinora-test')?.egress)).toEqual([
      'gateway',
      'console-customer',
    ]);
    const mayEnter = (name: string) => JSON.stringify(policyOf(manifests, name)?.ingress).includes('component":"test"');
    expect([CUSTOMER, OPERATOR].map(mayEnter)).toEqual([true, false]);
    const without = (await renderChart({})).filter(({ kind }) => kind === 'Pod');
    expect(JSON.stringify(without)).not.toContain('"name":"CONSOLE_URL"');
  });

  it('has a route of the Gateway API for its customers, with a host of its own', async () => {
    const gatewayApi = { enabled: true, host: 'pages.example.com', parentRefs: [{ name: 'public' }] };
    const manifests = await renderChart({ values: { ...ON, consoleCustomer: { gatewayApi } } });
    expect(manifests.filter(({ kind }) => kind === 'HTTPRoute')).toMatchObject([
      {
        metadata: { name: CUSTOMER },
        spec: {
          hostnames: ['pages.example.com'],
          parentRefs: [{ name: 'public' }],
          rules: [{ backendRefs: [{ name: CUSTOMER, port: 8081 }] }],
        },
      },
    ]);
    expect(variablesOf(manifests, CUSTOMER)).toMatchObject({ KINORA_CONSOLE_URL: 'https://pages.example.com' });
  });

  it('has a route for its operators at a Gateway of their own', async () => {
    const route = (name: string) => ({ enabled: true, host: `${name}.example.com`, parentRefs: [{ name }] });
    const values = { ...ON, consoleCustomer: { gatewayApi: route('pages') } };
    const manifests = await renderChart({ values: { ...values, consoleOperator: { gatewayApi: route('internal') } } });
    expect(named(manifests, 'HTTPRoute', OPERATOR)?.spec).toMatchObject({
      hostnames: ['internal.example.com'],
      parentRefs: [{ name: 'internal' }],
      rules: [{ backendRefs: [{ name: OPERATOR, port: 8082 }] }],
    });
    expect(variablesOf(manifests, OPERATOR)).toMatchObject({ KINORA_CONSOLE_URL: 'https://internal.example.com' });
    const without = await renderChart({ values });
    expect(named(without, 'HTTPRoute', OPERATOR)).toBeUndefined();
  });

  it('migrates its schema with the others', async () => {
    const jobs = (await renderChart({ values: ON })).filter(({ kind }) => kind === 'Job');
    const programs = podsOf(jobs).map(({ spec }) => spec.containers[0]?.command?.at(-1));
    expect(programs.filter((program) => program === 'dist/apps/console/src/migrate.js')).toHaveLength(2);
    expect(jobs).toHaveLength(12);
  });

  it('is at hosts of its own, customers and operators apart', async () => {
    const host = (name: string) => ({
      enabled: true,
      className: name,
      host: `${name}.example.com`,
      tlsSecretName: name,
    });
    const manifests = await renderChart({
      values: { ...ON, consoleCustomer: { ingress: host('pages') }, consoleOperator: { ingress: host('internal') } },
    });
    const rules = [CUSTOMER, OPERATOR].map((name) => named(manifests, 'Ingress', name)?.spec);
    expect(rules).toMatchObject([
      { ingressClassName: 'pages', rules: [{ host: 'pages.example.com', http: { paths: [backend(CUSTOMER)] } }] },
      { ingressClassName: 'internal', rules: [{ host: 'internal.example.com', http: { paths: [backend(OPERATOR)] } }] },
    ]);
    expect(variablesOf(manifests, CUSTOMER)['KINORA_CONSOLE_URL']).toBe('https://pages.example.com');
    expect(variablesOf(manifests, OPERATOR)['KINORA_CONSOLE_URL']).toBe('https://internal.example.com');
  });

  it('has no way in for operators but those that are named', async () => {
    const from = [{ podSelector: { matchLabels: { app: 'vpn' } } }];
    const closed = await renderChart({ values: { ...ON, ingress: { enabled: true } } });
    expect(named(closed, 'Ingress', OPERATOR)).toBeUndefined();
    expect(policyOf(closed, OPERATOR)?.ingress).toBeUndefined();
    expect(policyOf(closed, CUSTOMER)?.ingress).toEqual([{ ports: [{ protocol: 'TCP', port: 'http' }] }]);
    const open = await renderChart({
      values: { ...ON, networkPolicy: { consoleOperatorFrom: from, consoleFrom: from } },
    });
    const test = {
      podSelector: { matchLabels: expect.objectContaining({ 'app.kubernetes.io/component': 'test' }) as object },
    };
    const ports = [{ protocol: 'TCP', port: 'http' }];
    expect(policyOf(open, OPERATOR)?.ingress).toEqual([{ ports, from }]);
    expect(policyOf(open, CUSTOMER)?.ingress).toEqual([{ ports, from: [...from, test] }]);
  });

  it('reaches the gateway from the half for customers, which the gateway admits', async () => {
    const gatewayFrom = [{ podSelector: { matchLabels: { app: 'ingress' } } }];
    const manifests = await renderChart({ values: { ...ON, nats: { enabled: true }, networkPolicy: { gatewayFrom } } });
    expect(componentsReached(policyOf(manifests, CUSTOMER)?.egress)).toEqual(['nats', 'gateway']);
    expect(componentsReached(policyOf(manifests, OPERATOR)?.egress)).toEqual(['nats']);
    const [rule] = (policyOf(manifests, 'release-kinora-gateway')?.ingress ?? []) as { from: object[] }[];
    expect(componentsReached([{ to: rule?.from ?? [] }])).toEqual(['test', 'console-customer']);
  });

  it('reads files where they are: at the store, or at the gateway for a volume', async () => {
    const s3 = {
      endpoint: 'http://minio.storage.svc:9000',
      publicEndpoint: 'https://files.example.com',
      pathStyle: true,
    };
    const inside = await renderChart({ values: { ...ON, storage: { s3 } } });
    const origins = 'https://files.example.com=http://minio.storage.svc:9000';
    const volume = await renderChart({
      values: { ...ON, publicUrl: 'https://api.example.com', storage: { driver: 'filesystem' } },
    });
    for (const name of [CUSTOMER, OPERATOR]) {
      expect(variablesOf(inside, name)['KINORA_CONSOLE_FILE_ORIGINS']).toBe(origins);
      expect(reachesPublicAddresses(policyOf(inside, name)?.egress)).toBe(false);
      expect(variablesOf(volume, name)['KINORA_CONSOLE_FILE_ORIGINS']).toBe(
        'https://api.example.com=http://release-kinora-gateway:80',
      );
      expect(reachesPublicAddresses(policyOf(volume, name)?.egress)).toBe(false);
      expect(componentsReached(policyOf(volume, name)?.egress)).toEqual(['gateway']);
    }
    const inHost = { ...s3, bucket: 'pictures', pathStyle: false };
    const before = await renderChart({ values: { ...ON, storage: { s3: inHost } } });
    expect(variablesOf(before, CUSTOMER)['KINORA_CONSOLE_FILE_ORIGINS']).toBe(
      'https://pictures.files.example.com=http://minio.storage.svc:9000',
    );
    const own = { config: { KINORA_CONSOLE_FILE_ORIGINS: 'https://a.example.com=http://b' } };
    const chosen = await renderChart({ values: { ...ON, storage: { s3 }, consoleCustomer: own } });
    expect(variablesOf(chosen, CUSTOMER)['KINORA_CONSOLE_FILE_ORIGINS']).toBe('https://a.example.com=http://b');
  });

  it('reaches the provider at which operators sign in from their half alone', async () => {
    const config = { KINORA_CONSOLE_OIDC_ISSUER: 'https://login.example.com:8443/realms/kinora' };
    const manifests = await renderChart({
      values: { ...ON, storage: { s3: { endpoint: 'http://minio:9000' } }, consoleOperator: { config } },
    });
    const ports = (name: string) => (policyOf(manifests, name)?.egress ?? []).flatMap((rule) => rule.ports ?? []);
    expect(ports(OPERATOR)).toContainEqual({ protocol: 'TCP', port: 8443 });
    expect(ports(CUSTOMER)).not.toContainEqual({ protocol: 'TCP', port: 8443 });
  });

  it('has its users at the broker of the release, and their passwords', async () => {
    const manifests = await renderChart({ values: { ...ON, nats: { enabled: true } } });
    const mounted = manifests.filter(({ metadata }) => /-nats(-authorization)?$/.test(metadata.name));
    const files = Object.assign({}, ...mounted.map(({ data }) => data)) as Record<string, string>;
    const variables = (await brokerUsers()).map(({ user }) => passwordVariable(user)).toSorted();
    const broker = podsOf(manifests).find(({ owner }) => owner.kind === 'StatefulSet');
    expect(broker?.spec.containers[0]?.env?.map(({ name }) => name)).toEqual(variables);
    const env = Object.fromEntries(variables.map((variable) => [variable, 'trial']));
    expect(await brokerComplaint(files, env)).toBe('');
    expect(await brokerComplaint(files, { ...env, NATS_PASSWORD_CONSOLE_OPERATOR: undefined })).toContain(
      'NATS_PASSWORD_CONSOLE_OPERATOR',
    );
  });
});

function backend(name: string): object {
  return { path: '/', backend: { service: { name, port: { name: 'http' } } } };
}
