import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../../../deploy/build/source-files';
import { podsOf } from '../../helm/manifest';
import { HELM, renderChart } from '../../helm/render-chart';
import { blocksIn, incidentCommands } from '../../support/guide-steps';
import { ApiServer } from './api-server';

const run = promisify(execFile);
const SCRIPT_TIMEOUT_MS = 240_000;
const INSTALL_TIMEOUT_MS = 300_000;
const RELEASE = { release: 'kinora', example: 'production' };

/** What operators set before the commands of the guides. */
const VARIABLES = {
  ADMIN_URL: 'postgresql://administrator@db.example.com/kinora',
  POSTGRES_HOST: 'db.example.com',
  COMFYUI_TOKEN: 'token',
  OPENAI_API_KEY: 'key',
  REGISTRY_USER: 'user',
  REGISTRY_PASSWORD: 'password',
  S3_ACCESS_KEY_ID: 'id',
  S3_SECRET_ACCESS_KEY: 'secret',
  STRIPE_SECRET_KEY: 'key',
};

/**
 * Leaves out what needs more than an API server: other servers, whose commands other suites run; nodes, which run pods; and controllers,
 * which replace pods and hooks. kubectl then only looks whether the object exists.
 */
const PREAMBLE = `set -euo pipefail
psql() { :; }
nats() { :; }
npm() { :; }
kubectl() {
  case "$1 $2" in
    'exec --namespace'|'port-forward --namespace') command kubectl get --namespace "$3" "$(sed 's/^[^/]*$/pod\\/&/' <<<"$4")" ;;
    'rollout status') command kubectl get "\${@:3}" ;;
    *) command kubectl "$@" ;;
  esac
}
helm() {
  case "$*" in
    test*|*nats/nats*) : ;;
    upgrade*) "$HELM" "$@" --no-hooks ;;
    # The Helm of the tests would render for a Kubernetes of its own age.
    template*) "$HELM" "$@" --kube-version 1.30 ;;
    *) "$HELM" "$@" ;;
  esac
}
`;

describe('the guides for Kubernetes', () => {
  let server: ApiServer;
  let secretKeys: string[];

  const shell = async (script: string): Promise<void> => {
    const env = { ...process.env, ...VARIABLES, HELM, KUBECONFIG: server.kubeconfig };
    await run('bash', ['-c', PREAMBLE + script], { cwd: ROOT, env, timeout: SCRIPT_TIMEOUT_MS }).catch(
      ({ stderr }: { stderr: string }) => {
        throw new Error(stderr);
      },
    );
  };

  const blocksFrom = async (page: string, heading: string): Promise<string[]> => {
    const text = await readFile(path.join(ROOT, page), 'utf8');
    const blocks = blocksIn(text.slice(text.indexOf(heading)));
    return blocks.map(({ language, code }) => (language === 'sh' ? code : withValues(code)));
  };

  /** The number of pods that each Deployment of the release is to have. */
  const replicas = async (): Promise<number[]> => {
    const { text } = await server.send('GET', '/apis/apps/v1/namespaces/kinora/deployments');
    const { items } = JSON.parse(text) as { items: { spec: { replicas: number } }[] };
    return items.map(({ spec }) => spec.replicas);
  };

  beforeAll(async () => {
    server = await ApiServer.start();
    await server.defineForeign(await renderChart(RELEASE));
    const [createNamespace = '', ...steps] = await blocksFrom('docs/operate/install.md', '### 2. The namespace');
    await shell(createNamespace);
    // A controller would make it.
    await server.create({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } }, 'kinora');
    await shell(steps.join('\n'));
    const { text } = await server.send('GET', '/api/v1/namespaces/kinora/secrets');
    const { items } = JSON.parse(text) as { items: { metadata: { name: string }; data?: object }[] };
    secretKeys = items.flatMap(({ metadata, data }) => Object.keys(data ?? {}).map((key) => `${metadata.name}/${key}`));
  }, INSTALL_TIMEOUT_MS);
  afterAll(() => server?.stop());

  it('make each Secret that the pods of an installation read', async () => {
    const values = { nats: { enabled: true }, console: { enabled: true }, mcp: { enabled: true } };
    const env = podsOf(await renderChart({ ...RELEASE, values })).flatMap(({ spec }) =>
      spec.containers.flatMap(({ env: variables = [] }) =>
        variables.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef ?? []),
      ),
    );
    const read = new Set(env.map(({ name, key }) => `${name}/${key}`));
    expect(read.size).toBeGreaterThan(20);
    expect([...read].filter((key) => !secretKeys.includes(key))).toEqual([]);
  });

  it('replace secrets by commands that the API server takes', async () => {
    const blocks = await blocksFrom('docs/operate/secrets.md', '# Secrets');
    const replacing = blocks.filter((code) => code.includes('kubectl'));
    expect(replacing.length).toBeGreaterThan(6);
    await expect(shell(replacing.join('\n'))).resolves.toBeUndefined();
  });

  it('stop and restart what an incident needs, with the broker of the release', async () => {
    await shell(`helm upgrade kinora deploy/helm/kinora --namespace kinora --reuse-values --set nats.enabled=true`);
    const commands = (await incidentCommands('kubectl ')).filter((command) =>
      / (annotate|scale|rollout restart) /.test(command),
    );
    const starting = commands.filter((command) => / --replicas 1$|-replicas-$/.test(command));
    const stopping = commands.filter((command) => !starting.includes(command));
    expect([stopping.length, starting.length]).toEqual([3, 2]);
    await shell(stopping.join('\n'));
    const numbers = await replicas();
    expect(numbers.length).toBeGreaterThan(6);
    expect(numbers.filter((number) => number > 0)).toEqual([]);
    await shell(starting.join('\n'));
    expect((await replicas()).filter((number) => number !== 1)).toEqual([]);
  });
});

/** Values of a guide change the release, if there is one already. */
function withValues(yaml: string): string {
  const release = 'kinora deploy/helm/kinora --namespace kinora --reuse-values --values -';
  return `if "$HELM" status kinora --namespace kinora > /dev/null 2>&1; then helm upgrade ${release}; else cat; fi <<'END'\n${yaml}END\n`;
}
