import { ImageEditBody } from '../jobs/image-edit.body';
import { ImageGenerationBody } from '../jobs/image-generation.body';
import { VideoGenerationBody } from '../jobs/video-generation.body';
import { findFieldProblem } from './field-problem';

const paramOf = (fields: object): string | undefined =>
  findFieldProblem(ImageGenerationBody, { prompt: 'a fox', ...fields })?.param;

describe('the body of an image generation', () => {
  it('needs a prompt and nothing else', () => {
    expect(paramOf({})).toBeUndefined();
    expect(paramOf({ prompt: undefined })).toBe('prompt');
    expect(findFieldProblem(ImageGenerationBody, {})).toEqual({ param: 'prompt', message: 'is required' });
  });

  it('takes null for a required field as missing, and null for an unknown field as unknown', () => {
    const missing = { param: 'prompt', message: 'is required' };
    expect(findFieldProblem(ImageGenerationBody, { prompt: null })).toEqual(missing);
    expect(paramOf({ promt: null })).toBe('promt');
    expect(paramOf({ loras: [{ id: 'a', strength: null }] })).toBeUndefined();
  });

  it('names the first offending field in the order of the table', () => {
    expect(paramOf({ metadata: 1, loras: [{ strength: 9 }], n: 9 })).toBe('n');
    expect(paramOf({ metadata: 1, loras: [{ strength: 9 }] })).toBe('loras[0].strength');
    expect(paramOf({ metadata: 1, webhook_url: 1 })).toBe('webhook_url');
  });

  it('names an unknown field before any other', () => {
    expect(findFieldProblem(ImageGenerationBody, { promt: 'a fox' })?.param).toBe('promt');
  });
});

describe('a prompt', () => {
  const PROMPTED = [
    [ImageGenerationBody, {}],
    [ImageEditBody, { image: 'x' }],
    [VideoGenerationBody, { image: 'x' }],
  ] as const;
  const paramsOf = (prompt: string): (string | undefined)[] =>
    PROMPTED.map(([bodyClass, fields]) => findFieldProblem(bodyClass, { ...fields, prompt })?.param);

  it.each([
    ...[' ', '\n\t\r\n', '\u00a0\u2003\u3000', '\u0085\u2028', '\ufeff', '\u200b', '\u200d\u2060', '\u00ad', '\u200e '],
    ...['\u115f\u3164', '\ufe0f', '\u{e0020}'],
  ])('of white space and zero-width characters alone is refused in all three operations: %j', (prompt) => {
    expect(paramsOf(prompt)).toEqual(['prompt', 'prompt', 'prompt']);
  });

  it.each(['.', '\u200bx', ' a\u0301 ', '\u{1f468}\u200d\u{1f469}'])(
    'may hold them beside another one: %j',
    (prompt) => {
      expect(paramsOf(prompt)).toEqual([undefined, undefined, undefined]);
    },
  );

  it('may be empty for a video, which needs none', () => {
    expect(paramsOf('')).toEqual(['prompt', 'prompt', undefined]);
  });
});
