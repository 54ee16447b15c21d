import { type SampleRequest, requestSamples } from '../../apps/console/web/src/code/request-sample';
import { compileSnippets } from '../support/compile-snippets';

const IMAGE = 'data:image/jpeg;base64,AAAA';
const COMMON = { prompt: `it's "quoted"`, negative_prompt: 'boats', seed: 7 };
const loras = [{ id: 'ink', strength: 0.5 }];
const DRAWN = { size: '512x512', output_format: 'webp' };
/** Every field that the form of the playground sends. */
const BODIES: Record<SampleRequest['operation'], Record<string, unknown>> = {
  'images.generations': { ...COMMON, ...DRAWN, model: 'general-image', n: 2, steps: 20, guidance: 4.5, loras },
  'images.edits': { ...COMMON, ...DRAWN, model: 'image-edit', images: [IMAGE, IMAGE] },
  'videos.generations': { ...COMMON, model: 'image-to-video', image: IMAGE, duration: 8, loras },
};

function sampleOf(operation: SampleRequest['operation'], changes: Record<string, unknown> = {}): string {
  const request = { operation, body: { ...BODIES[operation], ...changes }, apiBaseUrl: 'https://api.example.com/v1' };
  const [install, imports, ...program] = (requestSamples(request)['TypeScript'] ?? '').split('\n');
  return `${install}\n${imports}\nexport async function program(): Promise<void> {\n${program.join('\n')}\n}`;
}

describe("the playground's sample for the TypeScript client", () => {
  it('compiles against the client, for every operation and field', () => {
    const operations = Object.keys(BODIES) as SampleRequest['operation'][];
    const wrong = sampleOf('images.generations', { no_field: 1 });
    const [unknownField, ...problems] = compileSnippets([wrong, ...operations.map((operation) => sampleOf(operation))]);
    expect(problems).toEqual(operations.map(() => []));
    expect(unknownField).toEqual([expect.stringContaining('no_field')]);
  });
});
