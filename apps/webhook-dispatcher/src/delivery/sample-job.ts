import type { Job } from '@kinora/contracts/jobs/job';

/** A finished job in the shape that receivers get, with every field but a file; no such job exists. */
export function sampleJob(id: string, at: Date): Job {
  const time = at.toISOString();
  return {
    id,
    object: 'job',
    status: 'succeeded',
    kind: 'image.generation',
    model: 'general-image',
    input: { prompt: 'A test event.', model: 'general-image', size: '1024x1024', n: 1, seed: 1, output_format: 'png' },
    output: { images: [{ url: null, mime: 'image/png', width: 1_024, height: 1_024, seed: 1, bytes: 1 }] },
    usage: { charged_micros: 0, charged_usd: 0, gpu_ms: null },
    moderation: { status: 'passed' },
    error: null,
    created_at: time,
    started_at: time,
    completed_at: time,
    expires_at: time,
    metadata: { test: 'true' },
  };
}
