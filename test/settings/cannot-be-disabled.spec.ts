import { readFileSync } from 'node:fs';
import path from 'node:path';
import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { moderationRpc } from '@kinora/contracts/moderation/moderation.rpc';
import { ConfigError, loadConfig } from '@kinora/service-kit';
import { createTestLog, waitFor } from '@kinora/testing';
import { BillingConfig } from '../../apps/billing/src/billing.config';
import { CatalogConfig } from '../../apps/catalog/src/catalog.config';
import { ConsoleConfig } from '../../apps/console/src/console.config';
import { GatewayConfig } from '../../apps/gateway/src/gateway.config';
import { JobsServiceFixture } from '../../apps/jobs/test/jobs-service.fixtures';
import { JobsConfig } from '../../apps/jobs/src/jobs.config';
import { buildEngines } from '../../apps/moderation/src/gate/build-engines';
import { type Content, Gate } from '../../apps/moderation/src/gate/gate';
import { sha256Of } from '../../apps/moderation/src/judging/sha256';
import { readTestImage } from '../../apps/moderation/src/image/known-image';
import { McpConfig } from '../../apps/mcp/src/mcp.config';
import { ModerationConfig } from '../../apps/moderation/src/moderation.config';
import { TEST_TEXT } from '../../apps/moderation/src/text/lexicon';
import { SandboxConfig } from '../../apps/sandbox/src/sandbox.config';
import { WebhookDispatcherConfig } from '../../apps/webhook-dispatcher/src/webhook-dispatcher.config';
import { handlers } from '../../deploy/build/generate/contracts/handlers';
import { serviceSettings } from '../../deploy/build/generate/chart/service-settings';
import { ROOT, sourceFiles } from '../../deploy/build/source-files';
import { testDecoder } from '../../apps/moderation/test/gate.fixtures';

const OFF = ['off', '', '0', 'false'];
const SOUND = {
  DATABASE_URL: 'postgres://localhost/none',
  KINORA_PROFILE: 'local',
  KINORA_OBJECT_STORE_DIR: '/var/lib/kinora/objects',
  KINORA_PUBLIC_URL: 'http://kinora.test',
  KINORA_CONSOLE_URL: 'http://console.test',
  KINORA_CONSOLE_GATEWAY_URL: 'http://kinora.test',
  KINORA_BASE_URL: 'http://kinora.test/v1',
  KINORA_KEY_PEPPER: 'a-pepper-for-specs-of-32-characters',
  KINORA_URL_SIGNING_KEY: 'a-signing-key-for-specs-of-32-characters',
  KINORA_RECEIPT_KEY: '5'.repeat(64),
  KINORA_QUOTE_KEY: 'a-quote-key-for-specs-of-32-characters',
};
/** The addresses of other services: without them no job is created, so there is nothing to moderate. */
const ADDRESSES = ['DATABASE_URL', 'NATS_URL', 'KINORA_SANDBOX_URL', 'KINORA_PUBLIC_URL', 'KINORA_URL_SIGNING_KEY'];

const OTHERS = {
  billing: BillingConfig,
  catalog: CatalogConfig,
  console: ConsoleConfig,
  gateway: GatewayConfig,
  mcp: McpConfig,
  sandbox: SandboxConfig,
  'webhook-dispatcher': WebhookDispatcherConfig,
};
/** Imports of the code that requests decisions, or that defines them. */
const VERDICTS = /contracts\/moderation\/(?:moderation\.rpc|decision)'/;

/** The config that the service would start with; null when it would refuse to start. */
function load<Config extends object>(configClass: new () => Config, env: Record<string, string>): Config | null {
  try {
    return loadConfig(configClass, { ...SOUND, ...env });
  } catch (error) {
    if (error instanceof ConfigError) return null;
    throw error;
  }
}

async function canaries(): Promise<Content[]> {
  const bytes = await readTestImage();
  return [
    { texts: [{ param: 'prompt', text: TEST_TEXT }], images: [] },
    { texts: [], images: [{ param: null, bytes, sha256: sha256Of(bytes) }] },
  ];
}

/** Whether a gate with this config blocks all canary prompts; null when it cannot be created. */
async function blocksCanaries({ configDir }: ModerationConfig): Promise<boolean | null> {
  try {
    const gate = new Gate(await buildEngines({ configDir, environment: {} }), testDecoder(), createTestLog().logger);
    const verdicts = await Promise.all((await canaries()).map((canary) => gate.judge(canary)));
    return verdicts.every(({ outcome }) => outcome === 'blocked');
  } catch (error) {
    if (error instanceof ConfigError) return null;
    throw error;
  }
}

async function keysOf(service: string): Promise<string[]> {
  return (await serviceSettings())[service]?.map(({ env }) => env) ?? [];
}

describe('moderation cannot be switched off', () => {
  it('by any setting of its own service: it refuses to start, or blocks the canaries', async () => {
    // The gate depends on these two only, so settings with the same values for both share one gate.
    const known = new Map<string, boolean | null>();
    const passed: string[] = [];
    const outcomeOf = async (config: ModerationConfig): Promise<boolean | null> => {
      const key = config.configDir;
      const outcome = known.has(key) ? (known.get(key) ?? null) : await blocksCanaries(config);
      known.set(key, outcome);
      return outcome;
    };
    const sound = load(ModerationConfig, {});
    const keys = await keysOf('moderation');
    for (const key of keys) {
      for (const value of OFF) {
        const config = load(ModerationConfig, { [key]: value });
        if (config && (await outcomeOf(config)) === false) passed.push(`${key}=${value}`);
      }
    }

    expect(keys.length).toBeGreaterThan(10);
    expect(sound && (await outcomeOf(sound))).toBe(true);
    expect(passed).toEqual([]);
  });

  it('by all settings of jobs with which it starts: it requests decisions on the prompt and on the output', async () => {
    const settings: Partial<JobsConfig> = {};
    const sound = load(JobsConfig, {});
    if (!sound) throw new Error('The initial settings of this test are invalid.');
    for (const key of (await keysOf('jobs')).filter((name) => !ADDRESSES.includes(name))) {
      for (const value of OFF) {
        const config = load(JobsConfig, { [key]: value });
        const changed = Object.entries(config ?? {}).filter(
          ([property, now]) => typeof now !== 'object' && now !== sound[property as keyof JobsConfig],
        );
        Object.assign(settings, Object.fromEntries(changed.filter(([property]) => !isAddress(property))));
      }
    }
    const jobs = await JobsServiceFixture.start('api,runner', {}, [], settings);
    try {
      const { job } = await jobs.create({ prompt: 'a canary at sea' });
      const ended = await waitFor(() => jobs.ended(job.id));

      expect(Object.keys(settings)).toContain('configDir');
      expect(jobs.fakes.screenedTexts).toContain('a canary at sea');
      expect(ended?.status).toBe('succeeded');
      expect(jobs.fakes.screenedOutputs.length).toBeGreaterThan(0);
    } finally {
      await jobs.close();
    }
  });

  it.each(Object.entries(OTHERS))(
    'by any setting of %s: it refuses to start, or starts and creates no decisions',
    async (service, config) => {
      const keys = await keysOf(service);
      const attempts = keys.flatMap((key) => OFF.map((value) => load<object>(config, { [key]: value })));

      expect(load<object>(config, {})).toBeInstanceOf(config);
      expect(attempts.some((started) => started !== null)).toBe(true);
      const knowing = sourceFiles(`apps/${service}`, /\.ts$/).filter((file) => VERDICTS.test(textOf(file)));
      expect(knowing).toEqual([]);
    },
  );

  it('by a setting of a service that is not listed here, or of a library, through which a service could decide', async () => {
    const services = Object.keys(await serviceSettings()).filter(
      (service) => !['jobs', 'moderation'].includes(service),
    );
    const libraries = sourceFiles('libs', /\.ts$/).filter((file) => !file.startsWith('libs/contracts/'));

    expect(Object.keys(OTHERS).sort()).toEqual(services.sort());
    expect(libraries.filter((file) => VERDICTS.test(textOf(file)))).toEqual([]);
  });

  it('by bypassing it: only jobs creates jobs, and only moderation decides', async () => {
    const subjects = [jobsRpc.create, moderationRpc.screenInput, moderationRpc.screenOutput].map(
      ({ subject }) => subject,
    );
    const answering = (await handlers()).filter(({ subject }) => subjects.includes(subject));

    expect(answering.map(({ app, subject }) => `${subject} of ${app}`)).toEqual([
      'jobs.v1.create of jobs',
      'moderation.v1.screen_input of moderation',
      'moderation.v1.screen_output of moderation',
    ]);
  });
});

function textOf(file: string): string {
  return readFileSync(path.join(ROOT, file), 'utf8');
}

/** Among the settings of SOUND. */
function isAddress(property: string): boolean {
  return ['databaseUrl', 'natsUrl', 'sandboxUrl', 'publicUrl', 'urlSigningKey', 'profile', 'objectStore'].includes(
    property,
  );
}
