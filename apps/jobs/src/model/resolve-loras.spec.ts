import { refusedParam, resolvedModel } from '../../test/new-job.fixtures';
import { resolveLoras, resolveVideoLoras } from './resolve-loras';

const HIGH = 'https://files.example/high.safetensors';
const LOW = 'https://files.example/low.safetensors';

const modelThatTakes = (loras?: 'url' | 'catalog') =>
  resolvedModel(loras ? { capabilities: { loras }, loras: [{ id: 'ink-wash', default_strength: 0.9 }] } : {});

describe('the LoRAs of a job', () => {
  it('have the requested strength, else the one of the catalog, else 0.8', () => {
    const params = [{ id: 'ink-wash' }, { url: HIGH }, { id: 'ink-wash', strength: 1.5 }];
    expect(resolveLoras(params, modelThatTakes('url'))).toEqual([
      { id: 'ink-wash', strength: 0.9 },
      { url: HIGH, strength: 0.8 },
      { id: 'ink-wash', strength: 1.5 },
    ]);
  });

  it('are accepted by id also for a model that takes URLs, and never for one that takes none', () => {
    expect(resolveLoras([{ id: 'ink-wash' }], modelThatTakes('url'))).toHaveLength(1);
    expect(refusedParam(() => resolveLoras([{ id: 'ink-wash' }], modelThatTakes()))).toBe('loras[0].id');
    expect(refusedParam(() => resolveLoras([{ url: HIGH }], modelThatTakes()))).toBe('loras[0].url');
  });

  it('supply both experts of a video model, with one file or with a pair', () => {
    const taking = modelThatTakes('url');
    expect(resolveVideoLoras([{ url: HIGH }, { url: HIGH, low_url: LOW, strength: 0.1 }], taking)).toEqual([
      { url: HIGH, low_url: HIGH, strength: 0.8 },
      { url: HIGH, low_url: LOW, strength: 0.1 },
    ]);
    expect(refusedParam(() => resolveVideoLoras([{ id: 'ink-wash', low_url: LOW }], taking))).toBe('loras[0].low_url');
    expect(refusedParam(() => resolveVideoLoras([{ low_url: LOW }], taking))).toBe('loras[0].low_url');
    expect(refusedParam(() => resolveVideoLoras([{ url: HIGH }], modelThatTakes('catalog')))).toBe('loras[0].url');
  });
});
