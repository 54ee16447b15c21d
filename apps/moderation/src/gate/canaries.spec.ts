import { Readiness } from '@kinora/service-kit';
import { createTestLog } from '@kinora/testing';
import { ImageHashEngine } from '../image/image-hash.engine';
import { readTestPicture } from '../image/test-picture';
import { TextRulesEngine } from '../text/text-rules.engine';
import { builtInEngines } from './built-in-engines.fixture';
import { Canaries } from './canaries';
import type { Engines } from './engine';
import { Gate } from './gate';
import { sha256Of } from './sha256';

function canariesFor(engines: Engines): { canaries: Canaries; readiness: Readiness } {
  const readiness = new Readiness();
  const { logger } = createTestLog();
  return { canaries: new Canaries(new Gate(engines, logger), readiness, logger), readiness };
}

describe('canaries', () => {
  it('let the service start with the built-in engines, and are shown again whenever it is asked', async () => {
    const { canaries, readiness } = canariesFor(await builtInEngines());

    await canaries.onModuleInit();

    const [, probe] = readiness.list().find(([name]) => name === 'moderation_canaries') ?? [];
    await expect(probe?.()).resolves.toBeUndefined();
  });

  it('stop the start when the text is let through', async () => {
    const { image } = await builtInEngines();

    const { canaries } = canariesFor({ text: [new TextRulesEngine({ terms: [], shortWords: [] })], image });

    await expect(canaries.onModuleInit()).rejects.toThrow('did not block 1 of 3 canaries');
  });

  it('stop the start when only the very file is known', async () => {
    const { text } = await builtInEngines();
    const known = { reason: 'test_picture', sha256: sha256Of(await readTestPicture()), hashes: [] };

    const { canaries } = canariesFor({ text, image: [new ImageHashEngine([known])] });

    await expect(canaries.onModuleInit()).rejects.toThrow('did not block 1 of 3 canaries');
  });

  it('stop the start when an engine fails', async () => {
    const { text } = await builtInEngines();
    const broken = { name: 'broken', version: '1', judge: () => Promise.reject(new Error('out of order')) };

    const { canaries } = canariesFor({ text, image: [broken] });

    await expect(canaries.onModuleInit()).rejects.toThrow('did not block 2 of 3 canaries');
  });
});
