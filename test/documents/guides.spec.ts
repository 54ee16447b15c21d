import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { ProviderRegistry } from '@kinora/compute';
import { providerServices } from '@kinora/compute/fixtures';
import { ApiError } from '@kinora/contracts/shared/errors';
import { parse } from 'yaml';
import { SYSTEM_CLOCK } from '@kinora/service-kit/without-nest';
import { runCommand } from '../../apps/cli/src/run-cli';
import type { StackClient } from '../../apps/cli/src/stack/stack-client';
import { loadCatalog } from '../../apps/catalog/src/catalog/load-catalog';
import { JobsConfig } from '../../apps/jobs/src/jobs.config';
import { AUTHORIZATION_FILE } from '../../deploy/build/generate/broker/authorization-file';
import { kubernetesProblems } from '../helm/kubernetes-problems';
import { type Manifest, podsOf } from '../helm/manifest';
import { HELM, renderChart } from '../helm/render-chart';
import { VALUES_SCHEMA } from '../../deploy/build/generate/chart/values-schema';
import { codeBlocks, incidentCommands, shellLines, wordsOf } from '../support/guide-steps';
import { ROOT } from '../../deploy/build/source-files';
import { markdownFiles } from './markdown-links';
import { unknownNames } from './named-things';

const run = promisify(execFile);
const PAGES = ['README.md', 'deploy/README.md', 'deploy/helm/kinora/README.md', ...markdownFiles(ROOT, 'docs')];
const CLI =
  /^(?:npm run --silent kinora --|.* main\.js|.* --rm kinora|kubectl .* dist\/apps\/cli\/src\/main\.js) (?<words>.*)$/;

/** Stands in for the stack: a command that reaches this error has passed the parsing of its arguments. */
const NO_STACK = new Proxy({} as StackClient, {
  get: () => () => {
    throw new Error('There is no stack.');
  },
});

/** The error of the operator's command for these arguments; null where it would send requests. */
async function misspelling(words: string): Promise<string | null> {
  const argv = wordsOf(words.replace(/ +#.*/, '').replace('$PORT', '3000'));
  const outcome: unknown = await runCommand(argv, {
    stack: NO_STACK,
    clock: SYSTEM_CLOCK,
    printNotice: () => undefined,
    show: () => undefined,
  }).catch((error: unknown) => error);
  return outcome instanceof ApiError ? `${words}: ${outcome.message}` : null;
}

describe('guides', () => {
  let lines: string[];

  beforeAll(async () => {
    lines = (await Promise.all(PAGES.map(shellLines))).flat();
  });

  it('give Helm more time than its default for hooks, in each command', () => {
    const waiting = lines.filter((line) => /^helm (upgrade|install|rollback|test) /.test(line));
    expect(waiting.length).toBeGreaterThan(8);
    expect(waiting.filter((line) => !/ --timeout 15m$/.test(line))).toEqual([]);
  });

  it('name only existing commands of the CLI, with valid arguments', async () => {
    const commands = lines.flatMap((line) => CLI.exec(line)?.groups?.['words'] ?? []);
    expect(commands.length).toBeGreaterThan(20);
    expect((await Promise.all(commands.map(misspelling))).filter((problem) => problem !== null)).toEqual([]);
    for (const wrong of ['account crate', 'account show A --jsn', 'account create --name A --balance-usd x'])
      expect({ wrong, problem: await misspelling(wrong) }).toEqual({ wrong, problem: expect.any(String) });
  });

  it('name only existing npm scripts and files', () => {
    const { scripts } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as { scripts: object };
    const named = lines.flatMap((line) =>
      [...line.matchAll(/npm run (?:--silent )?([\w:-]+)/g)].map(([, name]) => name),
    );
    for (const name of named) expect(Object.keys(scripts)).toContain(name);
    const files = lines.flatMap((line) => line.match(/(?<=^|[\s=/])(?:deploy|apps|libs|docs|test)\/[\w./-]+/g) ?? []);
    expect(files.length).toBeGreaterThan(10);
    for (const file of files.filter((it) => !/\/src\/main\.js|\/acme$/.test(it)))
      expect({ file, exists: existsSync(path.join(ROOT, file)) }).toEqual({ file, exists: true });
  });

  it('install values that the chart can render', async () => {
    const helm = lines.filter((line) => /^helm (lint|template|upgrade|install) .*deploy\/helm\/kinora( |$)/.test(line));
    expect(helm.length).toBeGreaterThanOrEqual(4);
    for (const line of helm) {
      const [, command, ...words] = wordsOf(line.replace(/helm (upgrade --install|install)/, 'helm template'));
      const args = [command ?? '', ...words, ...(command === 'template' ? ['--kube-version', '1.30.0'] : [])];
      const { stdout } = await run(HELM, args, { cwd: ROOT, maxBuffer: 16 * 1024 * 1024 });
      expect(stdout).toMatch(/kind: Deployment|0 chart\(s\) failed/);
    }
  });

  it('name the users with the console wherever they name those without it, which would remove its users', () => {
    const names = (file: string) => (page: string) => readFileSync(path.join(ROOT, page), 'utf8').includes(file);
    const naming = PAGES.filter(names('nats-users.yaml'));
    expect(naming.length).toBeGreaterThan(2);
    expect(naming.filter((page) => !names('nats-console-users.yaml')(page))).toEqual([]);
  });

  it('renew the broker of compose before its services, because compose keeps a container whose mounted file has changed', async () => {
    const { services } = parse(readFileSync(path.join(ROOT, 'deploy/docker/compose.yaml'), 'utf8')) as {
      services: { nats: { volumes: string[] } };
    };
    expect(services.nats.volumes.join()).toContain('nats-authorization.conf');
    const commands = (await shellLines('docs/operate/upgrade.md')).filter((line) => line.startsWith('docker compose '));
    const broker = commands.findIndex((line) => / up .*--force-recreate --no-deps nats$/.test(line));
    expect([broker, commands.findIndex((line) => / up .*--build /.test(line))]).toEqual([0, 1]);
  });

  it('pause the scalers that would start the services again during a restore, and start both afterwards', async () => {
    const scalers = (await renderChart({ example: 'production', release: 'kinora' })).filter(
      ({ kind }) => kind === 'ScaledObject',
    );
    const instances = scalers.map(({ metadata }) => metadata.labels?.['app.kubernetes.io/instance']);
    expect(instances).toEqual(['kinora', 'kinora']);
    const commands = (await incidentCommands('kubectl ')).filter((command) => / (annotate|scale) /.test(command));
    const words = commands.map((command) => command.split(' ').at(-1));
    const [pause, resume] = ['autoscaling.keda.sh/paused-replicas=0', 'autoscaling.keda.sh/paused-replicas-'];
    expect(words).toEqual([pause, '0', '1', resume]);
    for (const command of commands) expect(command).toContain(' --selector app.kubernetes.io/instance=kinora ');
  });

  it('create every Secret that the examples name, with its keys', async () => {
    const made = lines.flatMap((line) => {
      const name = /^kubectl create secret generic (\S+)/.exec(line)?.[1];
      return [...line.matchAll(/--from-literal ([\w-]+)=/g)].map(([, key]) => `${name}/${key}`);
    });
    const manifests = await Promise.all(['production', 'gpu'].map((example) => renderChart({ example })));
    const named = podsOf(manifests.flat())
      .flatMap(({ spec }) => spec.containers.flatMap(({ env = [] }) => env))
      .flatMap(({ valueFrom }) => valueFrom?.secretKeyRef ?? [])
      .map(({ name, key }) => `${name}/${key}`);
    expect(new Set(named).size).toBeGreaterThan(15);
    expect(made).toEqual(expect.arrayContaining(named));
  });

  it('connect a GPU with files that both services accept', async () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'kinora-guide-'));
    const blocks = await codeBlocks('docs/operate/connect-a-gpu.md');
    const yaml = (top: string) => blocks.find(({ code }) => code.startsWith(top))?.code ?? '';
    writeFileSync(path.join(folder, 'providers.yaml'), yaml('providers:'));
    writeFileSync(path.join(folder, 'catalog.yaml'), yaml('models:'));
    const { egress, logger } = providerServices();
    const config = Object.assign(new JobsConfig(), { configDir: folder, environment: { COMFYUI_TOKEN: 't' } });
    const registry = new ProviderRegistry(config, egress, logger);
    expect(registry.list().map(({ id }) => id)).toEqual(['gpu-a']);
    expect(loadCatalog(folder).findModel('sdxl')).not.toBeNull();
    await registry.onApplicationShutdown();
    rmSync(folder, { recursive: true });
  });

  it("show an operator's pod that is valid for Kubernetes", async () => {
    const pod = parse(readFileSync(path.join(ROOT, 'deploy/examples/operator-pod.yaml'), 'utf8')) as Manifest;
    expect(await kubernetesProblems([pod])).toEqual([]);
  });

  it.each(PAGES)('name only existing settings and values: %s', (page) => {
    const known = [
      '.env.example',
      'deploy/docker/compose.yaml',
      'apps/cli/src/stack/stack-client.ts',
      'libs/sdk-python/src/kinora/_options.py',
      AUTHORIZATION_FILE,
      VALUES_SCHEMA,
    ];
    expect(unknownNames(page, ...known)).toEqual([]);
  });
});
