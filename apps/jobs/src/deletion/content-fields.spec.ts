import type { JobInput } from '@kinora/contracts/jobs/job';
import type { JobPlan } from '../job/job.entity';
import { withoutContent } from './content-fields';

const plan = { run_timeout_ms: 1, sync_wait_ms: 0, loras: [], routes: [] } satisfies JobPlan;
const image = { sha256: 'a'.repeat(64), width: 64, height: 64, mime: 'image/png' };

describe('what is left without the content of a job', () => {
  it('has no prompt where a job may lack one', () => {
    const input: JobInput = {
      ...{ model: 'image-to-video', image, size: '512x512', duration: 5, seed: 7 },
      ...{ prompt: 'text', negative_prompt: 'text' },
    };
    expect(withoutContent({ kind: 'video.generation', input, plan }).input).toEqual({
      ...{ model: 'image-to-video', image, size: '512x512', duration: 5, seed: 7 },
    });
  });

  it('has no address of a LoRA, in the echo and in the plan, except for the files of the catalog', () => {
    const [url, low_url] = ['https://example.com/a.safetensors', 'https://example.com/b.safetensors'];
    const loras = [{ url, low_url, strength: 1 }, { id: 'ink-wash' }];
    const input: JobInput = { model: 'm', image, size: '8x8', duration: 5, seed: 7, loras };
    const planned = [
      { url, low_url, strength: 1 },
      { id: 'ink-wash', strength: 0.9, url: 'https://catalog.example/c.safetensors' },
    ];
    const left = withoutContent({ kind: 'video.generation', input, plan: { ...plan, loras: planned } });
    expect(left.input).toMatchObject({ loras: [{ strength: 1 }, { id: 'ink-wash' }] });
    expect(left.plan.loras).toEqual([{ strength: 1 }, planned[1]]);
  });

  it('has no field that this release does not know', () => {
    const input = {
      prompt: 'text',
      model: 'm',
      size: '8x8',
      n: 1,
      seed: 7,
      output_format: 'png',
      style: 'text',
    } as const;
    expect(withoutContent({ kind: 'image.generation', input, plan }).input).not.toHaveProperty('style');
  });
});
