import { execFile } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { waitFor } from '@kinora/testing';
import { stringify } from 'yaml';
import type { ProcessSpec } from '../../../deploy/local/processes/process-spec';
import { findFreePorts } from '../../../deploy/local/free-ports';
import { RunningProcess } from '../../../deploy/local/processes/running-process';
import { untilReady } from '../../../deploy/local/processes/until-ready';
import { type Manifest, titleOf } from '../../helm/manifest';
import { definitionOf, isForeign, pathOf } from './resources';

const run = promisify(execFile);
const STOP_WITHIN_MS = 10_000;
const REQUEST_WITHIN_MS = 30_000;
const CERTIFICATE = 'certificates/apiserver.crt';
const MISSING = 'kube-apiserver and etcd must be on the PATH: test/cluster/README.md says from where.';

export interface ApiAnswer {
  status: number;
  /** What kubectl prints as warnings: fields without effect, versions that will be removed, pods that a policy would refuse. */
  warnings: string[];
  text: string;
}

/** How an administrator of the cluster reaches it. */
interface Access {
  folder: string;
  port: number;
  token: string;
}

/**
 * The API server of Kubernetes with its store, on loopback. It admits, defaults and keeps objects as in a cluster. No controller and no
 * node runs, so an object creates no other one.
 */
export class ApiServer {
  private constructor(
    private readonly access: Access,
    private readonly processes: RunningProcess[],
  ) {}

  static async start(): Promise<ApiServer> {
    await run('kube-apiserver', ['--version']).catch((error: unknown) => {
      throw new Error(MISSING, { cause: error });
    });
    const folder = await mkdtemp(path.join(os.tmpdir(), 'kinora-kubernetes-'));
    const [client, peer, port] = (await findFreePorts(3)) as [number, number, number];
    const access = { folder, port, token: randomBytes(16).toString('hex') };
    const server = new ApiServer(access, []);
    try {
      await server.run(storeOf(folder, client, peer));
      await server.run(await apiServerOf(access, client));
      await writeFile(server.kubeconfig, stringify(kubeconfigOf(access)), { mode: 0o600 });
      return server;
    } catch (error) {
      await server.stop();
      throw error;
    }
  }

  /** For Helm and kubectl. */
  get kubeconfig(): string {
    return path.join(this.access.folder, 'kubeconfig');
  }

  send(method: 'GET' | 'POST', address: string, body?: object): Promise<ApiAnswer> {
    return send(this.access, method, address, body);
  }

  /** Creates an object, or leaves one of the same name as it is. */
  async create(manifest: Manifest, namespace?: string): Promise<void> {
    const { status, text: answer } = await this.send('POST', pathOf(manifest, namespace), manifest);
    if (status !== 201 && status !== 409) throw new Error(`${titleOf(manifest)}: ${answer}`);
  }

  /** Makes the server know the kinds of other projects among the manifests. */
  async defineForeign(manifests: Manifest[]): Promise<void> {
    for (const manifest of manifests.filter(isForeign)) {
      await this.create(definitionOf(manifest));
      await waitFor(async () => (await this.send('GET', pathOf(manifest))).status === 200);
    }
  }

  async stop(): Promise<void> {
    for (const running of this.processes.toReversed()) await running.stop(STOP_WITHIN_MS);
    await rm(this.access.folder, { recursive: true, force: true });
  }

  private async run(spec: ProcessSpec): Promise<void> {
    const running = await RunningProcess.start(spec);
    this.processes.push(running);
    await untilReady(spec, running);
  }
}

async function send({ folder, port, token }: Access, method: string, address: string, body?: object) {
  const ca = await readFile(path.join(folder, CERTIFICATE));
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const signal = AbortSignal.timeout(REQUEST_WITHIN_MS);
  return await new Promise<ApiAnswer>((resolve, reject) => {
    const sent = request(`https://127.0.0.1:${port}${address}`, { method, headers, ca, signal });
    sent.on('error', reject);
    sent.on('response', (response) => {
      const answer = { status: response.statusCode ?? 0, warnings: response.headersDistinct.warning ?? [] };
      text(response).then((received) => resolve({ ...answer, text: received }), reject);
    });
    sent.end(body && JSON.stringify(body));
  });
}

function kubeconfigOf({ folder, port, token }: Access): object {
  const cluster = { server: `https://127.0.0.1:${port}`, 'certificate-authority': path.join(folder, CERTIFICATE) };
  return {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'tests', cluster }],
    users: [{ name: 'administrator', user: { token } }],
    contexts: [{ name: 'tests', context: { cluster: 'tests', user: 'administrator' } }],
    'current-context': 'tests',
  };
}

function storeOf(folder: string, client: number, peer: number): ProcessSpec {
  const [clients, peers] = [`http://127.0.0.1:${client}`, `http://127.0.0.1:${peer}`];
  return {
    name: 'etcd',
    command: 'etcd',
    args: [
      `--data-dir=${folder}/store`,
      `--listen-client-urls=${clients}`,
      `--advertise-client-urls=${clients}`,
      `--listen-peer-urls=${peers}`,
      `--initial-advertise-peer-urls=${peers}`,
      `--initial-cluster=default=${peers}`,
      '--unsafe-no-fsync',
    ],
    env: process.env,
    logFile: path.join(folder, 'etcd.log'),
    stopSignal: 'SIGTERM',
    isReady: () => isOk(fetch(`${clients}/health`)),
  };
}

async function apiServerOf(access: Access, store: number): Promise<ProcessSpec> {
  const { folder, port, token } = access;
  await mkdir(path.join(folder, 'certificates'));
  const [tokens, key] = [path.join(folder, 'tokens.csv'), path.join(folder, 'accounts.key')];
  await writeFile(tokens, `${token},administrator,1,system:masters\n`, { mode: 0o600 });
  const pair = generateKeyPairSync('rsa', { modulusLength: 2048 });
  await writeFile(key, pair.privateKey.export({ type: 'pkcs1', format: 'pem' }), { mode: 0o600 });
  return {
    name: 'kube-apiserver',
    command: 'kube-apiserver',
    args: [
      `--etcd-servers=http://127.0.0.1:${store}`,
      '--bind-address=127.0.0.1',
      '--advertise-address=127.0.0.1',
      '--endpoint-reconciler-type=none',
      `--secure-port=${port}`,
      `--cert-dir=${folder}/certificates`,
      `--token-auth-file=${tokens}`,
      '--authorization-mode=RBAC',
      '--service-cluster-ip-range=10.96.0.0/16',
      '--service-account-issuer=https://kubernetes.default.svc',
      `--service-account-signing-key-file=${key}`,
      `--service-account-key-file=${key}`,
    ],
    env: process.env,
    logFile: path.join(folder, 'kube-apiserver.log'),
    stopSignal: 'SIGTERM',
    isReady: () => isOk(send(access, 'GET', '/readyz')),
  };
}

async function isOk(answer: Promise<{ status: number }>): Promise<boolean> {
  return await answer.then(
    ({ status }) => status === 200,
    () => false,
  );
}
