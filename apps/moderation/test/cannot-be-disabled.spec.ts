import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ConfigError } from '@kinora/service-kit';
import { createTestLog } from '@kinora/testing';
import { buildEngines } from '../src/gate/build-engines';
import { Gate } from '../src/gate/gate';
import { TEST_TEXT } from '../src/text/lexicon';
import { testDecoder } from './gate.fixtures';

const FILES = ['rules', 'engines', 'hash_lists', 'enabled', 'moderation', 'canaries', 'thresholds'].flatMap((key) =>
  ['off', '""', '0', 'false', '[]', '{}', '{ enabled: false }', '[{ type: rules, enabled: false }]'].map(
    (value) => `${key}: ${value}\n`,
  ),
);
/** `not started` where the configuration was refused; otherwise the gate's verdict on the test text. */
async function outcomeOf(configDir: string): Promise<string> {
  try {
    const gate = new Gate(await buildEngines({ configDir, environment: {} }), testDecoder(), createTestLog().logger);
    return (await gate.judge({ texts: [{ param: 'prompt', text: TEST_TEXT }], images: [] })).outcome;
  } catch (error) {
    if (error instanceof ConfigError) return 'not started';
    throw error;
  }
}

/** `test/settings` tests the environment settings of moderation together with those of the other services. */
describe('moderation cannot be disabled', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'moderation-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each(FILES)('by moderation.yaml: %j', async (text) => {
    writeFileSync(path.join(folder, 'moderation.yaml'), text);

    expect(['not started', 'blocked']).toContain(await outcomeOf(folder));
  });

  it('by an empty moderation.yaml, or by none', async () => {
    writeFileSync(path.join(folder, 'moderation.yaml'), '');

    expect(await outcomeOf(folder)).toBe('blocked');
    expect(await outcomeOf('')).toBe('blocked');
  });

  it('and it does not start without an engine that the operator requires', async () => {
    writeFileSync(path.join(folder, 'moderation.yaml'), 'require: [openai]');
    expect(await outcomeOf(folder)).toBe('not started');
    writeFileSync(path.join(folder, 'moderation.yaml'), 'require: [local]');
    expect(await outcomeOf(folder)).toBe('blocked');
  });
});
