import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ConfigError, loadConfig, settingsOf } from '@kinora/service-kit';
import { createTestLog } from '@kinora/testing';
import { ObjectStoreConfig } from '@kinora/object-store';
import { buildEngines } from './gate/build-engines';
import { Gate } from './gate/gate';
import { ModerationConfig } from './moderation.config';
import { TEST_TEXT } from './text/lexicon';

const OFF = ['off', '', '0', 'false'];
const KEYS = [...settingsOf(ModerationConfig), ...settingsOf(ObjectStoreConfig)].map(({ env }) => env);
const FILES = ['rules', 'engines', 'hash_lists', 'enabled', 'moderation', 'canaries', 'thresholds'].flatMap((key) =>
  ['off', '""', '0', 'false', '[]', '{}', '{ enabled: false }', '[{ type: rules, enabled: false }]'].map(
    (value) => `${key}: ${value}\n`,
  ),
);
const OF_WHOLE_STACK = { DATABASE_URL: 'postgres://localhost/none', KINORA_PROFILE: 'local' };

/** What became of the attempt: the service did not start, or it blocked the test text all the same. */
async function outcomeOf(env: Record<string, string>): Promise<string> {
  try {
    const { configDir, profile } = loadConfig(ModerationConfig, { ...OF_WHOLE_STACK, ...env });
    const gate = new Gate(await buildEngines({ configDir, profile, environment: env }), createTestLog().logger);
    return (await gate.judge({ texts: [{ param: 'prompt', text: TEST_TEXT }], images: [] })).outcome;
  } catch (error) {
    if (error instanceof ConfigError) return 'not started';
    throw error;
  }
}

describe('moderation cannot be disabled', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'moderation-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each(KEYS)('by the setting %s', async (key) => {
    for (const value of OFF) expect(['not started', 'blocked']).toContain(await outcomeOf({ [key]: value }));
  });

  it.each(FILES)('by moderation.yaml: %j', async (text) => {
    writeFileSync(path.join(folder, 'moderation.yaml'), text);

    expect(['not started', 'blocked']).toContain(await outcomeOf({ KINORA_CONFIG_DIR: folder }));
  });

  it('and production does not start without an engine that judges images', async () => {
    expect(await outcomeOf({ KINORA_PROFILE: 'production' })).toBe('not started');
  });
});
