import { execFileSync } from 'node:child_process';
import { runInNewContext } from 'node:vm';
import { javascript, pythonValue, requestSamples } from './request-sample';

const HOSTILE = `it's "quoted", \\ and\nbroken \u2028 $(rm) \`x\``;
const API = 'https://api.example.com/v1';

const samplesOf = (body: Record<string, unknown>) =>
  requestSamples({ operation: 'images.generations', body, apiBaseUrl: API });

describe('a request as code', () => {
  it('is in four languages for images, and in three where the client of OpenAI has no such call', () => {
    expect(Object.keys(samplesOf({ prompt: 'a' }))).toEqual(['TypeScript', 'Python', 'curl', 'OpenAI']);
    const video = requestSamples({ operation: 'videos.generations', body: {}, apiBaseUrl: API });
    expect(Object.keys(video)).toEqual(['TypeScript', 'Python', 'curl']);
  });

  it('holds any prompt as a literal of JavaScript that means the same', () => {
    expect(runInNewContext(`(${javascript({ prompt: HOSTILE, n: 2, 'a-b': [true, null] })})`)).toEqual({
      prompt: HOSTILE,
      n: 2,
      'a-b': [true, null],
    });
  });

  it('holds any prompt inside the quotes of a shell', () => {
    const { curl } = samplesOf({ prompt: HOSTILE });
    const [, quoted] = /-d ('[^]*')$/.exec(curl ?? '') ?? [];
    const text = execFileSync('sh', ['-c', `printf %s ${quoted}`], { encoding: 'utf8' });
    expect(JSON.parse(text)).toEqual({ prompt: HOSTILE });
  });

  it('writes the values of Python', () => {
    expect(pythonValue({ a: true, b: null, c: ['x"y'], d: 1.5 })).toBe(
      '{"a": True, "b": None, "c": ["x\\"y"], "d": 1.5}',
    );
  });

  it('names the place of an uploaded file instead of its bytes', () => {
    const image = `data:image/png;base64,${'A'.repeat(5_000)}`;
    const samples = requestSamples({
      operation: 'images.edits',
      body: { prompt: 'a', images: [image, image] },
      apiBaseUrl: API,
    });
    expect(samples['curl']).toContain('data:image/png;base64,…');
    expect(samples['TypeScript']).toContain("images: ['input-1.png', 'input-2.png']");
    expect(samples['Python']).toContain('images=["input-1.png", "input-2.png"]');
    for (const sample of Object.values(samples)) expect(sample.length).toBeLessThan(500);
  });

  it('sends the client of OpenAI to its own address', () => {
    expect(samplesOf({ prompt: 'a' })['OpenAI']).toContain("'https://api.example.com/openai/v1'");
  });
});
