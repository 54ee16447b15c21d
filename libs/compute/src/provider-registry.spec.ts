import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ConfigError } from '@kinora/service-kit';
import { providerServices } from './conformance/trial.fixtures';
import { ProviderRegistry } from './provider-registry';

const PROVIDERS = "providers: [{ id: gpu-a, type: comfyui, url: 'http://127.0.0.1:5' }]\n";

describe('provider registry', () => {
  const configDir = mkdtempSync(path.join(os.tmpdir(), 'registry-'));
  afterAll(() => rmSync(configDir, { recursive: true }));

  async function idsOf({ configDir = '', sandboxUrl = '' }): Promise<string[]> {
    const { egress, logger } = providerServices();
    const registry = new ProviderRegistry(
      { configDir, environment: {}, sandboxUrl, sandboxConcurrency: 1 },
      egress,
      logger,
    );
    await registry.onApplicationShutdown();
    return registry.list().map(({ id }) => id);
  }

  it('has the sandbox only with an address, and needs none beside an instance of the operator', async () => {
    writeFileSync(path.join(configDir, 'providers.yaml'), PROVIDERS);
    expect(await idsOf({ sandboxUrl: 'http://127.0.0.1:4' })).toEqual(['sandbox']);
    expect(await idsOf({ configDir, sandboxUrl: 'http://127.0.0.1:4' })).toEqual(['gpu-a', 'sandbox']);
    expect(await idsOf({ configDir })).toEqual(['gpu-a']);
  });

  it.each([
    ['template: sdxl', 5, 'template: must name a template of gpu-a, which has flux-dev-text-to-image'],
    ['weight: 1', 5, 'template: must name a template of gpu-a, which has flux-dev-text-to-image'],
  ])('refuses to start with a route to a template that its instance lacks: %s', async (said, line, problem) => {
    const flux = 'template: flux-dev-text-to-image';
    writeFileSync(
      path.join(configDir, 'providers.yaml'),
      PROVIDERS.replace("5' }", `5', templates: [${flux.slice(10)}] }`),
    );
    const catalog = (route: string) => `models:
  - id: fine
    routes: [{ provider: gpu-a, ${flux} }, { provider: elsewhere }]
  - id: wrong
    routes: [{ provider: gpu-a, ${route} }]
`;
    writeFileSync(path.join(configDir, 'catalog.yaml'), catalog(said));
    await expect(idsOf({ configDir })).rejects.toThrow(
      new ConfigError(`${configDir}/catalog.yaml:${line}: models[1].routes[0].${problem}`),
    );
    writeFileSync(path.join(configDir, 'catalog.yaml'), catalog(flux));
    expect(await idsOf({ configDir })).toEqual(['gpu-a']);
  });

  it('refuses a model with LoRAs by URL if none of its instances has a folder for them', async () => {
    const catalog = `models:
  - id: poster
    capabilities:
      loras: url
    routes: [{ provider: gpu-a, template: sdxl-text-to-image }]
`;
    writeFileSync(path.join(configDir, 'catalog.yaml'), catalog);
    writeFileSync(path.join(configDir, 'providers.yaml'), PROVIDERS);
    await expect(idsOf({ configDir })).rejects.toThrow(
      new ConfigError(
        `${configDir}/catalog.yaml:4: models[0].capabilities.loras: must not be url, because gpu-a has no shared_lora_dir in providers.yaml`,
      ),
    );
    writeFileSync(
      path.join(configDir, 'providers.yaml'),
      PROVIDERS.replace("5' }", "5', shared_lora_dir: /srv/loras }"),
    );
    expect(await idsOf({ configDir })).toEqual(['gpu-a']);
    writeFileSync(path.join(configDir, 'providers.yaml'), PROVIDERS);
    writeFileSync(path.join(configDir, 'catalog.yaml'), catalog.replace('url', 'catalog'));
    expect(await idsOf({ configDir })).toEqual(['gpu-a']);
  });

  it('refuses to start without any instance', async () => {
    await expect(idsOf({})).rejects.toThrow(
      new ConfigError('KINORA_SANDBOX_URL: must be set where providers.yaml names no instance'),
    );
  });
});
