import type { Quote, QuoteBody } from '@kinora/contracts/jobs/quote';
import type { Receipt } from '@kinora/contracts/jobs/receipt';

/** The job of all examples. */
export const ID = '019aa00d-5c1e-7b52-8f36-2f1f0e9d6c11';

export const QUOTE_REQUEST: QuoteBody = {
  operation: 'images.generations',
  request: { prompt: 'a lighthouse on a rocky coast in a storm', size: '1024x1024' },
};

export const QUOTE: Quote = {
  object: 'quote',
  id: 'quo_WyJpbWFnZS5nZW5lcmF0aW9uIiwi4oCmIl0.q2v4yJ8nW1tX0mZc7bRk5sLpQeUaGdHfTiOjKxNzVwY',
  operation: 'images.generations',
  model: 'general-image',
  price: { micros: 20_000, usd: 0.02, per: 'image', quantity: 1 },
  balance_after_micros: 24_960_000,
  would_be_accepted: true,
  refusals: [],
  eta_seconds: null,
  expires_at: '2026-11-20T09:10:00.000Z',
};

export const RECEIPT: Receipt = {
  object: 'receipt',
  job_id: ID,
  payload: {
    version: 1,
    job_id: ID,
    account_id: '019aa00c-0b5f-7d0e-9b55-7a1d6f0c2e44',
    operation: 'images.generations',
    model: 'general-image',
    outcome: { status: 'succeeded', error_code: null },
    accepted_at: '2026-11-20T09:00:00.000Z',
    started_at: '2026-11-20T09:00:01.204Z',
    ended_at: '2026-11-20T09:00:04.377Z',
    attempts: 1,
    gpu_ms: 2_140,
    price: {
      micros: 20_000,
      currency: 'USD',
      unit_micros: 20_000,
      per: 'image',
      quantity: 1,
      source: 'catalog',
      quote_id: null,
    },
    hold: { ledger_entry_id: '4711', kind: 'reserve', amount_micros: 20_000, at: '2026-11-20T08:59:59.981Z' },
    settlement: { ledger_entry_id: '4715', kind: 'capture', amount_micros: 20_000, at: '2026-11-20T09:00:04.391Z' },
    request_sha256: '1f0c6a5d1b7e4f2f9a3c8e6d5b4a39281706f5e4d3c2b1a09f8e7d6c5b4a3928',
    input_image_sha256: [],
    output_sha256: ['7d1a5e3c9b2f4806e8d7c6b5a4938271605f4e3d2c1b0a99887766554433221f'],
    moderation: [
      {
        decision_id: '019aa00d-5c0a-7f11-8c2d-9e5b7a3c1d22',
        stage: 'input',
        verdict: 'passed',
        policy_version: '3f9a1c7e',
        at: '2026-11-20T08:59:59.964Z',
      },
      {
        decision_id: '019aa00d-6d1b-7a44-9b1e-2c8d6f4a5e33',
        stage: 'output',
        verdict: 'passed',
        policy_version: '3f9a1c7e',
        at: '2026-11-20T09:00:04.310Z',
      },
    ],
  },
  jws: 'eyJhbGciOiJFZERTQSIsImtpZCI6IuKApiIsInR5cCI6Imtpbm9yYS1yZWNlaXB0K2p3cyJ9.eyJhY2NvdW50X2lkIjoi4oCmIn0.4oCm',
};
