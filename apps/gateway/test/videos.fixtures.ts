import { catalogRpc } from '@kinora/contracts/catalog/catalog.rpc';
import type { Job } from '@kinora/contracts/jobs/job';
import type { JobProgress } from '@kinora/contracts/jobs/job-progress';
import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import type { OpenAiVideo } from '../src/openai/videos/openai-video';
import { JOB, type TestContexts } from './contexts.fixtures';

export const VIDEOS = '/openai/v1/videos';
export const FILE = { object_key: 'outputs/spec/0.mp4', mime: 'video/mp4', bytes: 10 };
export const QUEUED = {
  ...JOB,
  kind: 'video.generation',
  model: 'image-to-video',
  input: { prompt: 'to the left', model: 'image-to-video', size: '832x464', duration: 8, seed: 7 },
} as Job;
export const RUNNING: Job = { ...QUEUED, status: 'processing' };
export const DONE = {
  ...QUEUED,
  status: 'succeeded',
  completed_at: '2026-11-20T09:00:03.000Z',
  expires_at: '2026-11-27T09:00:03.000Z',
  output: { video: { url: 'http://gateway.test/files/0.mp4', mime: 'video/mp4' } },
} as Job;
export const SHOWN: OpenAiVideo = {
  ...{ id: JOB.id, object: 'video', model: 'image-to-video', status: 'queued', progress: 0 },
  ...{ created_at: Date.parse(JOB.created_at) / 1_000, completed_at: null, expires_at: null },
  ...{ size: '832x464', seconds: '8', prompt: 'to the left', remixed_from_video_id: null, error: null },
};

export function answerVideos(contexts: TestContexts): void {
  contexts.on(catalogRpc.listAliases, () => ({
    data: [{ alias: 'sora-2', operation: 'video.generation', model: 'image-to-video' }],
  }));
  contexts.on(jobsRpc.quote, () => ({ price_micros: 1 }));
  contexts.on(jobsRpc.create, () => ({ job: QUEUED, replayed: false }));
  contexts.on(jobsRpc.get, () => QUEUED);
  contexts.on(jobsRpc.getProgress, () => ({ progress: 0.376 }) as JobProgress);
  contexts.on(jobsRpc.listOutputFiles, () => ({ files: [FILE] }));
}
