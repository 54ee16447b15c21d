import type { Job, Model } from '../../api/customer';
import { bodyOf, draftOf, EMPTY_DRAFT, fitTo, modelsFor, quotedBodyOf } from './draft';
import { fragmentOf, readFragment } from './draft-link';

const model = (id: string, capabilities: Model['capabilities']) => ({ id, capabilities }) as Model;
const IMAGE = model('image', { t2i: true, sizes: ['512x512'], max_n: 2 });
const VIDEO = model('video', { i2v: true, durations: [5, 8], loras: 'catalog' });
const SOURCE = '0192f3a0-0000-7000-8000-000000000001/0';
const FRAME = { name: 'a', dataUri: 'data:,', preview: '', width: 1280, height: 720, source: SOURCE };

describe('the form of the playground', () => {
  it('offers the models that can do the operation', () => {
    expect(modelsFor('videos.generations', [IMAGE, VIDEO])).toEqual([VIDEO]);
  });

  it('leaves what is empty to the defaults of the model', () => {
    expect(bodyOf({ ...EMPTY_DRAFT, prompt: 'a lake' }, IMAGE)).toEqual({ prompt: 'a lake', model: 'image', n: 1 });
  });

  it('sends the models of a comparison only what all of them take, as its fields show it', () => {
    const large = model('large', { t2i: true, sizes: ['1024x1024', '512x512'], max_n: 8 });
    const draft = { ...EMPTY_DRAFT, prompt: 'a', size: '1024x1024', count: '4', lora: 'ink' };
    expect(fitTo([large], draft)).toEqual(draft);
    const fitted = fitTo([large, IMAGE], draft);
    expect(fitted).toMatchObject({ size: '', count: '2' });
    expect(bodyOf(fitted, IMAGE)).toEqual({ prompt: 'a', model: 'image', n: 2 });
    expect(bodyOf(fitted, large)).toEqual({ prompt: 'a', model: 'large', n: 2 });
    expect(fitTo([VIDEO], { ...draft, duration: '30' }).duration).toBe('');
  });

  it('sends a start frame with a video, and a LoRA with its strength', () => {
    const draft = { ...EMPTY_DRAFT, operation: 'videos.generations' as const, images: [FRAME], duration: '8' };
    expect(bodyOf({ ...draft, lora: 'ink', loraStrength: '0.5', seed: '7' }, VIDEO)).toEqual({
      model: 'video',
      image: 'data:,',
      seed: 7,
      duration: 8,
      loras: [{ id: 'ink', strength: 0.5 }],
    });
  });

  it('is quoted with the sides of its images, which the size and the price may follow from', () => {
    const video = { ...EMPTY_DRAFT, operation: 'videos.generations' as const, duration: '8' };
    const sides = { width: 1280, height: 720 };
    expect(quotedBodyOf(video, VIDEO)).toEqual({ model: 'video', duration: 8 });
    expect(quotedBodyOf({ ...video, images: [FRAME] }, VIDEO)).toEqual({ model: 'video', duration: 8, image: sides });
    const edit = { ...EMPTY_DRAFT, operation: 'images.edits' as const, images: [FRAME, FRAME] };
    expect(quotedBodyOf(edit, IMAGE)).toEqual({ model: 'image', images: [sides, sides] });
  });

  it('sends no LoRA with an edit, which takes none', () => {
    const draft = { ...EMPTY_DRAFT, operation: 'images.edits' as const, prompt: 'a', images: [FRAME], lora: 'ink' };
    const both = model('both', { t2i: true, edit: true, loras: 'catalog' });
    expect(bodyOf(draft, both)).toEqual({ prompt: 'a', model: 'both', images: ['data:,'] });
    expect(bodyOf({ ...draft, operation: 'images.generations' }, both)).toHaveProperty('loras');
  });

  it('sends a number that is none as it is, so that the API names the field', () => {
    expect(bodyOf({ ...EMPTY_DRAFT, prompt: 'a', seed: 'x' }, IMAGE)['seed']).toBe('x');
  });

  it('is a fragment of the address, with its settings and the outputs that it uses', () => {
    const draft = { ...EMPTY_DRAFT, prompt: 'a & b, ü', operation: 'images.edits' as const, models: ['one', 'two'] };

    expect(readFragment(fragmentOf({ ...draft, images: [FRAME] }))).toEqual({ draft, sources: [SOURCE] });
    expect(readFragment('')).toEqual({ draft: EMPTY_DRAFT, sources: [] });
    expect(readFragment('#main')).toBeNull();
    expect(readFragment('#mode=images.edits&images=../../admin/0')?.sources).toEqual([]);
  });

  it('is filled in from a job that is run again', () => {
    const input = { prompt: 'a', model: 'image', size: '512x512', n: 2, seed: 7, output_format: 'webp' };
    const draft = draftOf({ kind: 'image.generation', model: 'image', input } as Job);
    expect(bodyOf(draft, IMAGE)).toEqual(input);
  });
});
