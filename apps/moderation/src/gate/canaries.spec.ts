import { Readiness } from '@kinora/service-kit';
import { createTestLog } from '@kinora/testing';
import { ImageHashEngine } from '../image/image-hash.engine';
import { readTestPicture } from '../image/test-picture';
import { TextRulesEngine } from '../text/text-rules.engine';
import { buildEngines } from './build-engines';
import { Canaries } from './canaries';
import type { Engines } from './engine';
import { Gate } from './gate';
import { sha256Of } from './sha256';

function canariesFor(engines: Engines): { canaries: Canaries; readiness: Readiness } {
  const readiness = new Readiness();
  return { canaries: new Canaries(new Gate(engines, createTestLog().logger), readiness), readiness };
}

describe('canaries', () => {
  it('let the service start with the built-in engines, and are shown again whenever it is asked', async () => {
    const { canaries, readiness } = canariesFor(await buildEngines(''));

    await canaries.onModuleInit();

    const [, probe] = readiness.list().find(([name]) => name === 'moderation_canaries') ?? [];
    await expect(probe?.()).resolves.toBeUndefined();
  });

  it('stop the start when the text is let through', async () => {
    const { image } = await buildEngines('');

    const { canaries } = canariesFor({ text: [new TextRulesEngine({ terms: [], shortWords: [] })], image });

    await expect(canaries.onModuleInit()).rejects.toThrow('let 1 of 3 canaries pass');
  });

  it('stop the start when only the very file is known', async () => {
    const { text } = await buildEngines('');
    const known = { reason: 'test_picture', sha256: sha256Of(await readTestPicture()), hashes: [] };

    const { canaries } = canariesFor({ text, image: [new ImageHashEngine([known])] });

    await expect(canaries.onModuleInit()).rejects.toThrow('let 1 of 3 canaries pass');
  });

  it('stop the start when an engine fails', async () => {
    const { text } = await buildEngines('');
    const broken = { name: 'broken', findObjection: () => Promise.reject(new Error('out of order')) };

    const { canaries } = canariesFor({ text, image: [broken] });

    await expect(canaries.onModuleInit()).rejects.toMatchObject({ code: 'capacity' });
  });
});
