import { ImageEditBody } from '../jobs/image-edit.body';
import { ImageGenerationBody } from '../jobs/image-generation.body';
import { VideoGenerationBody } from '../jobs/video-generation.body';
import { findFieldProblem } from './field-problem';

const paramOf = (fields: object): string | undefined =>
  findFieldProblem(ImageGenerationBody, { prompt: 'a fox', ...fields })?.param;

/** Parsed from text, as a client sends it: only text can hold an own `__proto__`, or a number beyond the range of a double. */
const paramOfJson = (json: string): string | undefined =>
  findFieldProblem(ImageGenerationBody, JSON.parse(json) as unknown)?.param;

const ofChars = (count: number): string => 'x'.repeat(count);
const entries = (count: number): object => Object.fromEntries([...Array(count).keys()].map((key) => [`k${key}`, 'v']));

describe('the body of an image generation', () => {
  it('needs a prompt and nothing else', () => {
    expect(paramOf({})).toBeUndefined();
    expect(paramOf({ prompt: undefined })).toBe('prompt');
    expect(findFieldProblem(ImageGenerationBody, {})).toEqual({ param: 'prompt', message: 'is required' });
  });

  it.each<[string, unknown]>([
    ['prompt', 'x'],
    ['prompt', ofChars(2000)],
    ['prompt', '🦊'.repeat(2000)],
    ['prompt', ' \t\nmixed\u0301 ﷽ '],
    ['model', ofChars(64)],
    ['negative_prompt', ''],
    ['negative_prompt', ofChars(1000)],
    ['size', '100x9999'],
    ['aspect_ratio', '9:16'],
    ['n', 1],
    ['n', 4],
    ['seed', 0],
    ['seed', 2_147_483_647],
    ['steps', 50],
    ['guidance', 0],
    ['guidance', 7.25],
    ['guidance', 20],
    ['loras', []],
    ['loras', [{ id: 'a', strength: 0.1 }, { id: 'b', strength: 1.5 }, { url: 'https://x.example/a.safetensors' }]],
    ['output_format', 'webp'],
    ['webhook_url', ofChars(2048)],
    ['metadata', {}],
    ['metadata', entries(16)],
    ['metadata', { [ofChars(64)]: ofChars(256), '🦊': '', constructor: 'kept', toString: 'kept' }],
  ])('accepts %s = %j', (field, value) => {
    expect(paramOf({ [field]: value })).toBeUndefined();
  });

  it.each<[string, unknown]>([
    ['prompt', ''],
    ['prompt', ofChars(2001)],
    ['prompt', '🦊'.repeat(2001)],
    ['prompt', 'a\u0000b'],
    ['prompt', 'a\ud800b'],
    ['prompt', 7],
    ['prompt', ['a fox']],
    ['model', ''],
    ['model', ofChars(65)],
    ['negative_prompt', ofChars(1001)],
    ['size', '99x1024'],
    ['size', '1024x10240'],
    ['size', '1024X1024'],
    ['size', '1024x1024\n'],
    ['aspect_ratio', '4:3'],
    ['n', 0],
    ['n', 5],
    ['n', 1.5],
    ['n', '2'],
    ['n', true],
    ['seed', -1],
    ['seed', 2_147_483_648],
    ['steps', 0],
    ['steps', 51],
    ['guidance', -0.1],
    ['guidance', 20.1],
    ['guidance', '7'],
    ['loras', {}],
    ['loras', [{ id: 'a' }, { id: 'b' }, { id: 'c' }, { id: 'd' }]],
    ['output_format', 'gif'],
    ['output_format', 'PNG'],
    ['webhook_url', ''],
    ['webhook_url', ofChars(2049)],
    ['metadata', []],
    ['metadata', 'x'],
    ['metadata', entries(17)],
    ['metadata', { '': 'v' }],
    ['metadata', { [ofChars(65)]: 'v' }],
    ['metadata', { k: ofChars(257) }],
    ['metadata', { k: 1 }],
    ['metadata', { k: null }],
    ['metadata', { k: '\u0000' }],
    ['metadata', { '\udfff': 'v' }],
  ])('refuses %s = %j', (field, value) => {
    expect(paramOf({ [field]: value })).toBe(field);
  });

  it.each([
    ...['model', 'negative_prompt', 'size', 'aspect_ratio', 'n', 'seed', 'steps', 'guidance', 'loras'],
    ...['output_format', 'webhook_url', 'metadata'],
  ])('takes null for %s as left out', (field) => {
    expect(paramOf({ [field]: null })).toBeUndefined();
  });

  it('takes null for a required field as missing, and null for an unknown field as unknown', () => {
    const missing = { param: 'prompt', message: 'is required' };
    expect(findFieldProblem(ImageGenerationBody, { prompt: null })).toEqual(missing);
    expect(paramOf({ promt: null })).toBe('promt');
    expect(paramOf({ loras: [{ id: 'a', strength: null }] })).toBeUndefined();
  });

  it('names the item of a list and its field', () => {
    expect(paramOf({ loras: [{ id: 'a' }, { id: 'b', strength: 1.51 }] })).toBe('loras[1].strength');
    expect(paramOf({ loras: [{ id: 'a' }, { id: '' }] })).toBe('loras[1].id');
    expect(paramOf({ loras: [{ id: 'a', weight: 1 }] })).toBe('loras[0].weight');
    expect(paramOf({ loras: [{ id: 'a', low_url: 'https://x.example/low.safetensors' }] })).toBe('loras[0].low_url');
    expect(paramOf({ loras: [[]] })).toBe('loras[0]');
    expect(paramOf({ loras: [null] })).toBe('loras[0]');
  });

  it('names the first offending field in the order of the table', () => {
    expect(paramOf({ metadata: 1, loras: [{ strength: 9 }], n: 9 })).toBe('n');
    expect(paramOf({ metadata: 1, loras: [{ strength: 9 }] })).toBe('loras[0].strength');
    expect(paramOf({ metadata: 1, webhook_url: 1 })).toBe('webhook_url');
  });

  it('names an unknown field before any other', () => {
    expect(paramOfJson('{"promt":"a fox"}')).toBe('promt');
    expect(paramOfJson('{"prompt":"a fox","__proto__":{"n":9}}')).toBe('__proto__');
    expect(paramOfJson('{"prompt":"a fox","constructor":{}}')).toBe('constructor');
    expect(paramOfJson('{"prompt":"a fox","hasOwnProperty":1}')).toBe('hasOwnProperty');
    expect(paramOfJson('{"prompt":"a fox","account_id":"x"}')).toBe('account_id');
  });

  it('refuses numbers that JavaScript cannot hold', () => {
    expect(paramOfJson('{"prompt":"a fox","guidance":1e400}')).toBe('guidance');
    expect(paramOfJson('{"prompt":"a fox","seed":1e400}')).toBe('seed');
    expect(paramOfJson('{"prompt":"a fox","seed":9007199254740993}')).toBe('seed');
  });

  it.each(['[]', '"text"', '7', 'null', 'true'])('is an object, not %s', (json) => {
    expect(paramOfJson(json)).toBe('');
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

describe('the body of an image edit', () => {
  const paramOfEdit = (fields: object): string | undefined =>
    findFieldProblem(ImageEditBody, { prompt: 'warmer', ...fields })?.param;
  const longest = ofChars(13_981_078);

  it('takes images as texts of any legal length', () => {
    expect(paramOfEdit({ image: 'x' })).toBeUndefined();
    expect(paramOfEdit({ image: longest, images: [longest, 'y', 'z'] })).toBeUndefined();
  });

  it('names the image that is not such a text', () => {
    expect(paramOfEdit({ image: '' })).toBe('image');
    expect(paramOfEdit({ image: `${longest}x` })).toBe('image');
    expect(paramOfEdit({ image: {} })).toBe('image');
    expect(paramOfEdit({ images: [] })).toBe('images');
    expect(paramOfEdit({ images: ['a', 'b', 'c', 'd'] })).toBe('images');
    expect(paramOfEdit({ images: ['a', ''] })).toBe('images[1]');
    expect(paramOfEdit({ images: ['a', 1] })).toBe('images[1]');
  });

  it('refuses fields that only a generation accepts', () => {
    expect(paramOfEdit({ n: 1 })).toBe('n');
    expect(paramOfEdit({ loras: [] })).toBe('loras');
  });
});
