import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { IsIn } from 'class-validator';
import { ConfigError } from '@kinora/service-kit';
import type { ComputeProvider } from './compute-provider.port';
import { providerServices } from './conformance/trial.fixtures';
import { ProviderLoader } from './provider-loader';
import type { InstanceSettings, ProviderType } from './provider-type';
import { PROVIDER_TYPES } from './provider-registry';
import { SandboxProvider } from './sandbox/sandbox.provider';

class TinkerSettings {
  @IsIn(['brass', 'tin'])
  metal = 'tin';
}

const INSTANCES = `providers:
  - id: gpu-a
    type: tinker
    url: http://gpu-a.internal:8188
    headers: { authorization: 'Bearer \${GPU_KEY}' }
    concurrency: 2
    metal: brass
    shared_lora_dir: /srv/loras
  - id: gpu-b
    type: tinker
    url: https://gpu-b.example/base
`;

describe('providers.yaml', () => {
  const configDir = mkdtempSync(path.join(os.tmpdir(), 'providers-'));
  const file = path.join(configDir, 'providers.yaml');
  const made: { instance: InstanceSettings; settings: TinkerSettings }[] = [];
  const tinker: ProviderType<TinkerSettings> = {
    type: 'tinker',
    settings: TinkerSettings,
    create: (instance, settings, { egress }): ComputeProvider => {
      if (instance.id === 'broken') throw new Error('metal: is not available');
      made.push({ instance, settings });
      return new SandboxProvider(instance, egress);
    },
  };
  afterAll(() => rmSync(configDir, { recursive: true }));
  beforeEach(() => {
    made.length = 0;
  });

  function load(text: string, environment: Record<string, string> = { GPU_KEY: 's3cret' }) {
    writeFileSync(file, text);
    return new ProviderLoader([tinker], providerServices()).load(configDir, environment);
  }

  it('creates an instance of each entry, with the secrets of the environment and the settings of its type', async () => {
    const instances = load(INSTANCES);
    expect(instances.map(({ provider, type, loraDir }) => [provider.id, type, loraDir])).toEqual([
      ['gpu-a', 'tinker', '/srv/loras'],
      ['gpu-b', 'tinker', null],
    ]);
    expect(made).toEqual([
      {
        instance: {
          id: 'gpu-a',
          url: 'http://gpu-a.internal:8188',
          headers: { authorization: 'Bearer s3cret' },
          concurrency: 2,
        },
        settings: { metal: 'brass' },
      },
      {
        instance: { id: 'gpu-b', url: 'https://gpu-b.example/base', headers: {}, concurrency: 1 },
        settings: { metal: 'tin' },
      },
    ]);
    await Promise.all(instances.map(({ provider }) => provider.close()));
  });

  it('counts a smaller concurrency than the least of its type as that', async () => {
    writeFileSync(file, INSTANCES);
    const queueing = new ProviderLoader([{ ...tinker, leastConcurrency: 3 }], providerServices());
    const instances = queueing.load(configDir, { GPU_KEY: 's3cret' });
    expect(instances.map(({ provider }) => provider.concurrency)).toEqual([3, 3]);
    await Promise.all(instances.map(({ provider }) => provider.close()));
  });

  it('has no instances where there is no file', () => {
    rmSync(file, { force: true });
    expect(new ProviderLoader([tinker], providerServices()).load(configDir, {})).toEqual([]);
    expect(new ProviderLoader([tinker], providerServices()).load('', {})).toEqual([]);
  });

  it.each([
    ['type: tinker', 'type: tinkre', '3: providers[0].type: must be one of tinker'],
    ['metal: brass', 'metal: gold', '7: providers[0].metal: metal must be one of the following values: brass, tin'],
    ['metal: brass', 'mettle: brass', '7: providers[0].mettle: property mettle should not exist'],
    ['concurrency: 2', 'concurrency: 0', '6: providers[0].concurrency: concurrency must not be less than 1'],
    ['http://gpu-a.internal:8188', 'gpu-a', '4: providers[0].url: url must be a URL address'],
    ['http://gpu-a', 'http://me:s3cret@gpu-a', '4: providers[0].url: url must be a URL address'],
    ['http://gpu-a', 'ftp://gpu-a', '4: providers[0].url: url must be a URL address'],
    ["'Bearer ${GPU_KEY}'", '"s3cret\\nx: y"', '5: providers[0].headers: must be names and values of HTTP headers'],
    ['${GPU_KEY}', '${NO_KEY}', '5: providers[0].headers.authorization: the environment variable NO_KEY is not set'],
    ['id: gpu-b', 'id: gpu-a', '9: providers[1].id: is defined twice'],
    ['id: gpu-b', 'id: broken', '9: providers[1]: metal: is not available'],
    ['providers:', 'instances:', '1: instances: property instances should not exist'],
  ])('refuses a file where %j became %j, names the line and reveals no secret', (right, wrong, problem) => {
    expect(() => load(INSTANCES.replace(right, wrong))).toThrow(new ConfigError(`${file}:${problem}`));
    expect(problem).not.toContain('s3cret');
  });

  it('accepts the example for operators, which has an instance of each type', async () => {
    const examples = path.resolve('deploy/examples');
    const environment = {
      GPU_A_TOKEN: 'a',
      RUNPOD_ENDPOINT: 'e',
      RUNPOD_API_KEY: 'r',
      REPLICATE_API_TOKEN: 't',
      REPLICATE_WEBHOOK_SECRET: 'whsec_c2VjcmV0',
      FAL_KEY: 'f',
    };
    const services = providerServices(path.join(examples, 'templates'));
    const instances = new ProviderLoader(PROVIDER_TYPES, services).load(examples, environment);
    expect(instances.map(({ type }) => type).sort()).toEqual(PROVIDER_TYPES.map(({ type }) => type).sort());
    await Promise.all(instances.map(({ provider }) => provider.close()));
  });

  it.each([
    ['providers: gpu-a\n', '1: providers: must be a list of instances'],
    ['providers:\n  - gpu-a\n', '2: providers[0]: must be a map of settings'],
    ['providers:\n  - id: gpu-a\n', '2: providers[0].type: must be one of tinker'],
  ])('refuses %j', (text, problem) => {
    expect(() => load(text)).toThrow(new ConfigError(`${file}:${problem}`));
  });
});
