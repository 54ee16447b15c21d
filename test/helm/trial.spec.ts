import { cp, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parse } from 'yaml';
import { parseNatsUrl } from '@kinora/bus/client';
import {
  brokerUsers,
  NATS_CHART_CONSOLE_USERS,
  NATS_CHART_USERS,
  passwordVariable,
} from '../../deploy/build/generate/broker/authorization-file';
import { ROOT } from '../../deploy/build/source-files';
import { type Container, type Manifest, named, podsOf } from './manifest';
import { brokerComplaint, CHART, renderChart } from './render-chart';

interface ChartUsers {
  config: { merge: { authorization: { users: { user: string; permissions: object }[] } } };
  container?: { env: Record<string, { valueFrom: { secretKeyRef: object } }> };
}

/** The text that Helm prints after the installation. `helm template` leaves it out, so a copy of the chart renders it as an object. */
async function notesOf(example: string, values: object = {}): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'kinora-notes-'));
  try {
    const chart = path.join(folder, 'kinora');
    await cp(CHART, chart, { recursive: true });
    await rename(path.join(chart, 'templates/NOTES.txt'), path.join(chart, 'notes.txt'));
    const object =
      '{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "notes"}, "data": {"text": {{ tpl (.Files.Get "notes.txt") . | toJson }}}}';
    await writeFile(path.join(chart, 'templates/notes.yaml'), object);
    const manifests = await renderChart({ chart, example, values, release: 'kinora' });
    return manifests.find(({ metadata }) => metadata.name === 'notes')?.data?.['text'] ?? '';
  } finally {
    await rm(folder, { recursive: true });
  }
}

describe('a trial', () => {
  let manifests: Manifest[];
  let credentials: Record<string, string>;

  beforeAll(async () => {
    manifests = await renderChart({ example: 'minimal' });
    credentials = manifests.find(({ kind }) => kind === 'Secret')?.stringData ?? {};
  });

  const secretsOf = ({ env = [] }: Container): [string, string | undefined][] =>
    env.flatMap(({ name, valueFrom }) =>
      valueFrom?.secretKeyRef ? [[name, credentials[valueFrom.secretKeyRef.key]] as [string, string | undefined]] : [],
    );

  it('has every server and every credential in the release itself', () => {
    const secrets = podsOf(manifests)
      .flatMap(({ spec }) => spec.containers)
      .flatMap(secretsOf);
    expect(secrets.length).toBeGreaterThan(20);
    expect(secrets.filter(([, value]) => !value)).toEqual([]);
    const addresses = secrets.filter(([name]) => /_URL$/.test(name)).map(([, value = '']) => new URL(value));
    expect(new Set(addresses.map(({ hostname }) => hostname))).toEqual(
      new Set(['release-kinora-postgres', 'release-kinora-nats']),
    );
    for (const { hostname, port } of addresses)
      expect(named(manifests, 'Service', hostname)?.spec?.ports?.map((it) => String(it.port))).toContain(port);
  });

  it('logs in at its servers as users that these have', async () => {
    const scripts = named(manifests, 'ConfigMap', 'release-kinora-postgres')?.data ?? {};
    const broker = podsOf([named(manifests, 'StatefulSet', 'release-kinora-nats')!])[0]!.spec.containers[0]!;
    const passwords = Object.fromEntries(secretsOf(broker));
    const users = (await brokerUsers()).map(({ user }) => user);
    for (const [name, value = ''] of podsOf(manifests).flatMap(({ spec }) => spec.containers.flatMap(secretsOf))) {
      if (name === 'DATABASE_URL') {
        const { username, password } = new URL(value);
        expect(scripts['contexts.sql']).toContain(`CREATE ROLE ${username} LOGIN`);
        expect(password).toBe(credentials['trial-password']);
      }
      if (name === 'NATS_URL') {
        const { user = '', pass } = parseNatsUrl(value);
        expect(users).toContain(user);
        expect(pass).toBe(passwords[passwordVariable(user)]);
      }
    }
  });

  it('needs no hook and no volume that several nodes share', () => {
    expect(manifests.filter(({ metadata }) => /install/.test(metadata.annotations?.['helm.sh/hook'] ?? ''))).toEqual(
      [],
    );
    const accessModes = manifests.flatMap(({ kind, spec }) =>
      kind === 'PersistentVolumeClaim'
        ? [spec?.accessModes]
        : (spec?.volumeClaimTemplates ?? []).map((claim) => claim.spec.accessModes),
    );
    expect(accessModes).toEqual(Array(3).fill(['ReadWriteOnce']));
    expect(manifests.filter(({ kind, spec }) => kind === 'Deployment' && spec?.replicas !== 1)).toEqual([]);
  });

  it('prints the commands for the first key and the first image', async () => {
    const notes = await notesOf('minimal');
    expect(notes).toContain('TRIAL');
    expect(notes).toMatch(
      /KEY=\$\(kubectl exec --namespace kinora deploy\/kinora-operator -- node \S+main\.js account create/,
    );
    expect(notes).toMatch(/port-forward --namespace kinora service\/kinora-gateway 8080:80\n/);
    expect(notes).toMatch(/curl .*http:\/\/127\.0\.0\.1:8080\/v1\/images\/generations .*"Authorization: Bearer \$KEY"/);
    expect(await notesOf('production')).not.toMatch(/TRIAL|curl|console/);
  });

  it('says where the console is, and what its Ingress lacks', async () => {
    const console = { enabled: true };
    const local = await notesOf('minimal', { console });
    expect(local).toContain('The console for customers: http://127.0.0.1:8081\n');
    expect(local).toContain('The console for operators: http://127.0.0.1:8082/operator\n');
    expect(local).toContain('port-forward --namespace kinora service/kinora-console-operator 8082\n');
    const ingress = { enabled: true, className: 'vpn', tlsSecretName: 'tls' };
    const hosted = await notesOf('minimal', { console, consoleOperator: { ingress } });
    expect(hosted).toContain('The console for operators: https://operators.example.com/operator\n');
    const agents = await notesOf('minimal', { mcp: { enabled: true, ingress: { enabled: true } } });
    expect(agents).toContain('mcp.config.KINORA_MCP_TRUSTED_PROXIES');
    expect(hosted).toMatch(/consoleOperator\.config\.KINORA_CONSOLE_TRUSTED_PROXIES[^]*consoleOperatorFrom/);
  });
});

it.each([
  ['without a console', NATS_CHART_USERS, /^(?!console-)/],
  ['with a console', NATS_CHART_CONSOLE_USERS, /./],
])(
  'the official NATS chart of an installation %s gets the users of the generated permissions, and needs no object of this chart',
  async (_, file, wanted) => {
    const read = (name: string) => readFile(path.join(ROOT, name), 'utf8');
    const values = await read('deploy/helm/nats-values.yaml');
    expect(values).not.toMatch(/configMap|\$include/);
    const { config, container } = parse(await read(file)) as ChartUsers;
    // As the chart writes what stands between << and >>.
    const settings = JSON.stringify(config.merge).replace(/"<< (\$\w+) >>"/g, '$1');
    const users = (await brokerUsers()).filter(({ user }) => wanted.test(user));
    const variables = users.map(({ user }) => passwordVariable(user));
    // Helm merges the maps of both files, and a list of the later file replaces that of the earlier one.
    const given = { ...(parse(values) as Required<ChartUsers>).container.env, ...container?.env };
    expect(Object.keys(given).toSorted()).toEqual(variables.toSorted());
    for (const { valueFrom } of Object.values(given))
      expect(valueFrom.secretKeyRef).toEqual({ name: 'kinora-nats', key: expect.any(String) as string });
    const env = Object.fromEntries(variables.map((variable) => [variable, 'trial']));
    expect(await brokerComplaint({ 'nats.conf': settings }, env)).toBe('');
    expect(await brokerComplaint({ 'nats.conf': settings }, {})).toContain('NATS_PASSWORD_');
    const permitted = config.merge.authorization.users.map(({ user, permissions }) => ({ user, ...permissions }));
    // An empty list would permit everything.
    const allowed = (subjects: string[]): unknown => (subjects.length === 0 ? { deny: ['>'] } : subjects);
    expect(permitted).toEqual(
      users.map(
        ({ user, publish, subscribe }) =>
          expect.objectContaining({ user, publish: allowed(publish), subscribe: allowed(subscribe) }) as object,
      ),
    );
  },
);
