import type { ResolvedModel } from '@kinora/contracts/catalog/catalog.rpc';
import type { ApiError } from '@kinora/contracts/shared/errors';
import { resolveLoras, resolveVideoLoras } from './resolve-loras';

const HIGH = 'https://files.example/high.safetensors';
const LOW = 'https://files.example/low.safetensors';

/** As far as LoRAs are concerned. */
const modelThatTakes = (loras?: 'url' | 'catalog'): ResolvedModel =>
  ({
    capabilities: loras ? { loras } : {},
    loras: loras ? [{ id: 'ink-wash', default_strength: 0.9 }] : [],
  }) as unknown as ResolvedModel;

const refusedParam = (work: () => unknown): string | undefined => {
  try {
    work();
  } catch (error) {
    return (error as ApiError).param;
  }
  return 'nothing refused';
};

describe('the LoRAs of a job', () => {
  it('have the strength asked for, or else the one of the catalog, or else 0.8', () => {
    const params = [{ id: 'ink-wash' }, { url: HIGH }, { id: 'ink-wash', strength: 1.5 }];
    expect(resolveLoras(params, modelThatTakes('url'))).toEqual([
      { id: 'ink-wash', strength: 0.9 },
      { url: HIGH, strength: 0.8 },
      { id: 'ink-wash', strength: 1.5 },
    ]);
  });

  it('come by id also for a model that takes them by URL, and never for one that takes none', () => {
    expect(resolveLoras([{ id: 'ink-wash' }], modelThatTakes('url'))).toHaveLength(1);
    expect(refusedParam(() => resolveLoras([{ id: 'ink-wash' }], modelThatTakes()))).toBe('loras[0].id');
    expect(refusedParam(() => resolveLoras([{ url: HIGH }], modelThatTakes()))).toBe('loras[0].url');
  });

  it('are refused by the place of the first that is wrong', () => {
    const taking = modelThatTakes('catalog');
    const refused = (lora: object) => refusedParam(() => resolveLoras([{ id: 'ink-wash' }, lora], taking));
    expect(refused({ url: HIGH })).toBe('loras[1].url');
    expect(refused({ id: 'no-such' })).toBe('loras[1].id');
    expect(refused({})).toBe('loras[1]');
    expect(refused({ id: 'ink-wash', low_url: LOW })).toBe('loras[1].low_url');
  });

  it('serve both experts of a video model, with one file or with a pair', () => {
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
