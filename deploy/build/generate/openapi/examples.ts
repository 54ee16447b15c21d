import { toEventText } from '../../../../apps/gateway/src/event-stream/event-stream';
import type { EventList } from '@kinora/contracts/jobs/jobs.events';
import type { Ping } from '../../../../apps/gateway/src/ping/ping.controller';
import type { Account } from '@kinora/contracts/billing/account';
import type { LoraList } from '@kinora/contracts/catalog/lora';
import type { Model } from '@kinora/contracts/catalog/model';
import type { ImageEditBody } from '@kinora/contracts/jobs/image-edit.body';
import type { ImageGenerationBody } from '@kinora/contracts/jobs/image-generation.body';
import type { ImageRef, Job, JobList } from '@kinora/contracts/jobs/job';
import type { JobProgress } from '@kinora/contracts/jobs/job-progress';
import type { Usage } from '@kinora/contracts/jobs/usage';
import type { List } from '@kinora/contracts/shared/page';
import type { VideoGenerationBody } from '@kinora/contracts/jobs/video-generation.body';
import type { WebhookEvent, WebhookEventType } from '@kinora/contracts/jobs/webhook-event';
import { ID, QUOTE, QUOTE_REQUEST, RECEIPT } from './receipt-examples';
import { APPEAL_OPERATIONS, SELF_SERVICE_OPERATIONS } from './self-service-examples';
import { PROVENANCE_CHECK, PROVENANCE_REQUEST } from './provenance-examples';

const REQUEST: ImageGenerationBody = {
  prompt: 'a lighthouse on a rocky coast in a storm',
  size: '1024x1024',
  seed: 7,
  metadata: { order: '1794' },
};

const QUEUED: Job = {
  id: ID,
  object: 'job',
  status: 'queued',
  kind: 'image.generation',
  model: 'general-image',
  input: { prompt: REQUEST.prompt, model: 'general-image', size: '1024x1024', n: 1, seed: 7, output_format: 'png' },
  output: null,
  usage: { charged_micros: 20_000, charged_usd: 0.02, gpu_ms: null },
  moderation: { status: 'pending' },
  error: null,
  created_at: '2026-11-20T09:00:00.000Z',
  started_at: null,
  completed_at: null,
  expires_at: null,
  metadata: { order: '1794' },
};

const SUCCEEDED: Job = {
  ...QUEUED,
  status: 'succeeded',
  output: {
    images: [
      {
        url: `https://kinora.example/files/outputs/${ID}/0.png?expires=1795770004&signature=xb6cWmXvVbC1aO2lq0b8Q`,
        mime: 'image/png',
        width: 1024,
        height: 1024,
        seed: 7,
        bytes: 1_482_311,
      },
    ],
  },
  usage: { ...QUEUED.usage, gpu_ms: 2140 },
  moderation: { status: 'passed' },
  started_at: '2026-11-20T09:00:01.204Z',
  completed_at: '2026-11-20T09:00:04.377Z',
  expires_at: '2026-11-27T09:00:04.377Z',
};

const REFUNDED = { charged_micros: 0, charged_usd: 0, gpu_ms: null };

const FAILED: Job = {
  ...QUEUED,
  status: 'failed',
  usage: REFUNDED,
  moderation: { status: 'blocked' },
  error: { code: 'content_blocked_output', message: 'The output was blocked by the content policy.' },
  started_at: '2026-11-20T09:00:01.204Z',
  completed_at: '2026-11-20T09:00:04.377Z',
};

const CANCELED: Job = {
  ...QUEUED,
  status: 'canceled',
  usage: REFUNDED,
  moderation: { status: 'passed' },
  completed_at: '2026-11-20T09:00:00.912Z',
};

const WITHOUT_LINKS: Job = {
  ...SUCCEEDED,
  output: {
    images: [{ url: null, mime: 'image/png', width: 1024, height: 1024, seed: 7, bytes: 1_482_311 }],
  },
};

const EVENTS: EventList = {
  object: 'list',
  data: [event('job.succeeded', SUCCEEDED)],
  has_more: false,
  next_cursor: 'MTc5NC4wMTlhYTAwZC01YzFlLTRiNTItOGYzNi0yZjFmMGU5ZDZjMTE',
};

const JOBS: JobList = { object: 'list', data: [SUCCEEDED], has_more: false, next_cursor: null };

const HOUSE: ImageRef = {
  sha256: '9f2c1d7be4f7a4a5c3d1b2e8f6a09b8c7d6e5f4a3b2c1d0e9f8a7b6c5d4e3f2a',
  width: 1280,
  height: 800,
  mime: 'image/jpeg',
};

const EDIT_REQUEST: ImageEditBody = {
  prompt: 'make it night, with the windows lit',
  image: 'https://pictures.example/house.jpg',
};

const EDIT: Job = {
  ...QUEUED,
  kind: 'image.edit',
  model: 'image-edit',
  input: {
    prompt: EDIT_REQUEST.prompt,
    model: 'image-edit',
    image: HOUSE,
    size: '1280x800',
    n: 1,
    seed: 1_804_289_383,
    output_format: 'png',
  },
  metadata: null,
};

const VIDEO_REQUEST: VideoGenerationBody = {
  image: 'https://pictures.example/house.jpg',
  prompt: 'clouds drift by, slowly',
  duration: 5,
};

const VIDEO: Job = {
  ...QUEUED,
  kind: 'video.generation',
  model: 'image-to-video',
  input: {
    prompt: 'clouds drift by, slowly',
    model: 'image-to-video',
    image: HOUSE,
    size: '832x520',
    duration: 5,
    seed: 846_930_886,
  },
  usage: { charged_micros: 500_000, charged_usd: 0.5, gpu_ms: null },
  metadata: null,
};

const MODELS: List<Model> = {
  object: 'list',
  data: [
    {
      id: 'general-image',
      object: 'model',
      type: 'image',
      label: 'General image',
      description: 'Pictures of anything, from a prompt.',
      capabilities: {
        t2i: true,
        edit: false,
        img2img: false,
        inpaint: false,
        i2v: false,
        sizes: ['1024x1024', '832x1216', '1216x832'],
        max_n: 4,
        max_refs: 0,
        steps: { min: 1, max: 50, default: 25 },
        guidance: { min: 0, max: 20, default: 5 },
        loras: 'catalog',
      },
      price: { micros: 20_000, usd: 0.02, unit: 'usd', per: 'image' },
      license: 'Apache-2.0',
    },
  ],
};

const LORAS: LoraList = {
  object: 'list',
  data: [
    {
      id: 'watercolour',
      object: 'lora',
      compatible_models: ['general-image'],
      label: 'Watercolour',
      description: 'Soft edges and paper grain.',
      default_strength: 0.8,
      triggers: null,
      license: null,
    },
  ],
  model: 'general-image',
  byo_urls: false,
};

const ACCOUNT: Account = {
  object: 'account',
  id: '019aa00c-0b5f-7d0e-9b55-7a1d6f0c2e44',
  name: 'Northlight Studio',
  status: 'active',
  currency: 'USD',
  balance_micros: 24_980_000,
  balance_usd: 24.98,
  rate_limit_rpm: 60,
  max_concurrent_jobs: 5,
  retention_days: 7,
  auto_recharge: { enabled: false, threshold_usd: null, amount_usd: null },
  webhook_signing_configured: true,
  api_key: { id: '019aa00c-0b60-7a52-b9c3-3a1de8ffb170', name: 'production', prefix: 'knr_live_4fQx' },
  created_at: '2026-11-01T08:30:00.000Z',
};

const COUNTERS = {
  jobs: 12,
  succeeded: 10,
  failed: 1,
  canceled: 1,
  in_flight: 0,
  charged_micros: 200_000,
  charged_usd: 0.2,
  gpu_ms: 21_400,
};

const USAGE: Usage = {
  object: 'usage',
  from: '2026-11-19T00:00:00.000Z',
  to: '2026-11-21T00:00:00.000Z',
  group_by: 'day',
  total: COUNTERS,
  data: [{ day: '2026-11-20', ...COUNTERS }],
  truncated: false,
};

const PING: Ping = { ok: true, service: 'kinora', version: '1.0.0', time: '2026-11-20T09:00:00.000Z' };

const PROGRESS: JobProgress = {
  object: 'job.progress',
  job_id: ID,
  status: 'processing',
  progress: 0.42,
  queue_position: null,
  eta_seconds: 1.9,
  updated_at: '2026-11-20T09:00:02.618Z',
};

const STREAM = `retry: 2000

id: progress:processing:0.42:
event: job.progress
data: ${JSON.stringify(PROGRESS)}

`;

/** Examples of requests and answers: the compiler checks them against the types, a test against the document. */
export const EXAMPLES: {
  jobId: string;
  /** By operation, then `request` or the status of the answer. */
  operations: Record<string, Record<string, unknown>>;
  webhooks: Record<WebhookEventType, WebhookEvent>;
} = {
  jobId: ID,
  operations: {
    createImageGeneration: { request: REQUEST, 200: SUCCEEDED, 202: QUEUED },
    createImageEdit: { request: EDIT_REQUEST, 202: EDIT },
    createVideoGeneration: { request: VIDEO_REQUEST, 202: VIDEO },
    listJobs: { 200: JOBS },
    listEvents: {
      200: EVENTS,
      stream: toEventText({ id: EVENTS.next_cursor ?? '', type: 'job.succeeded', data: EVENTS.data[0] }),
    },
    getJob: { 200: SUCCEEDED },
    getJobProgress: { 200: PROGRESS },
    followJob: { stream: STREAM },
    cancelJob: { 200: CANCELED },
    ...APPEAL_OPERATIONS,
    deleteJobOutputs: { 200: WITHOUT_LINKS },
    deleteJobContent: { 200: { ...WITHOUT_LINKS, input: { ...WITHOUT_LINKS.input, prompt: '' }, metadata: null } },
    getReceipt: { 200: RECEIPT },
    createQuote: { request: QUOTE_REQUEST, 200: QUOTE },
    listModels: { 200: MODELS },
    listLoras: { 200: LORAS },
    getAccount: { 200: ACCOUNT },
    getUsage: { 200: USAGE },
    ...SELF_SERVICE_OPERATIONS,
    ping: { 200: PING },
    checkProvenance: { request: PROVENANCE_REQUEST, 200: PROVENANCE_CHECK },
  },
  webhooks: {
    'job.succeeded': event('job.succeeded', SUCCEEDED),
    'job.failed': event('job.failed', FAILED),
    'job.canceled': event('job.canceled', CANCELED),
  },
};

function event(type: WebhookEventType, job: Job): WebhookEvent {
  return { id: 'evt_019aa00d5c1e7b528f362f1f0e9d6c11', type, created: 1_795_165_204, data: { object: job } };
}
