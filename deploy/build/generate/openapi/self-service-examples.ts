import type { ApiKeyList, DeletedApiKey, IssuedApiKey } from '@kinora/contracts/billing/account-key';
import type { AccountStatementList } from '@kinora/contracts/billing/statement';
import type { IssuedWebhookSecret } from '@kinora/contracts/billing/self-service.rpc';
import type { CreateAccountKeyBody, OverlapBody } from '@kinora/contracts/billing/account-key.body';
import type {
  TestWebhookBody,
  WebhookDelivery,
  WebhookDeliveryDetails,
  WebhookDeliveryList,
} from '@kinora/contracts/webhooks/account-deliveries.rpc';
import type { Appeal } from '@kinora/contracts/moderation/appeals.rpc';
import { ID } from './receipt-examples';

const KEY: ApiKeyList['data'][number] = {
  object: 'api_key',
  id: '019aa011-8a11-7c04-a6c5-52c4b1f3a9d7',
  name: 'newsletter',
  prefix: 'knr_live_9bTe',
  scope: 'jobs',
  models: ['fast-image'],
  budget_micros: 5_000_000,
  budget_period: 'day',
  spent_micros: 120_000,
  expires_at: '2027-01-01T00:00:00.000Z',
  created_at: '2026-11-20T09:00:00.000Z',
  last_used_at: null,
};

const NEW_KEY: CreateAccountKeyBody = {
  name: 'newsletter',
  models: ['fast-image'],
  budget_micros: 5_000_000,
  budget_period: 'day',
  expires_at: '2027-01-01T00:00:00Z',
};
const KEYS: ApiKeyList = { object: 'list', data: [KEY], has_more: false, next_cursor: null };
const ISSUED_KEY: IssuedApiKey = { ...KEY, api_key: 'knr_live_9bTeW2kXq7LmZr4VnYc8Hd3Jf6Ps1Gu51oWq3E' };
const DELETED_KEY: DeletedApiKey = { object: 'api_key', id: KEY.id, deleted: true };
const OVERLAP: OverlapBody = { overlap_seconds: 86_400 };

const STATEMENT: AccountStatementList = {
  object: 'list',
  data: [
    {
      object: 'statement_entry',
      id: '1794',
      kind: 'reserve',
      amount_micros: 20_000,
      balance_delta_micros: -20_000,
      balance_after_micros: 24_980_000,
      job_id: ID,
      created_at: '2026-11-20T09:00:00.000Z',
    },
  ],
  has_more: true,
  next_cursor: 'MTc5NC4yNTAwMDAwMA',
};
const WEBHOOK_SECRET: IssuedWebhookSecret = { webhook_secret: 'whsec_5mVbXq2LrT8nYkC4Wd7HsPf1GzJ6uQ9eA3oNxRtB' };

const DELIVERY: WebhookDelivery = {
  object: 'webhook_delivery',
  id: '019aa013-2f70-7e0b-9d1c-0d4b6a7c8e21',
  event_id: 'evt_019aa00d5c1e7b528f362f1f0e9d6c11',
  event_type: 'job.succeeded',
  job_id: ID,
  url: 'https://example.com/hooks/kinora',
  status: 'pending',
  attempt_count: 1,
  last_response_status: 502,
  last_error: 'not_acknowledged',
  next_attempt_at: '2026-11-20T09:01:05.118Z',
  redelivery_of: null,
  created_at: '2026-11-20T09:00:04.391Z',
  completed_at: null,
};
const DELIVERIES: WebhookDeliveryList = { object: 'list', data: [DELIVERY], has_more: false, next_cursor: null };
const DELIVERY_DETAILS: WebhookDeliveryDetails = {
  ...DELIVERY,
  attempts: [
    {
      number: 1,
      ended_at: '2026-11-20T09:00:05.118Z',
      response_status: 502,
      latency_ms: 713,
      response_body: 'Bad gateway',
      error: 'not_acknowledged',
    },
  ],
};
const FRESH_DELIVERY: WebhookDelivery = {
  ...DELIVERY,
  id: '019aa014-6b3d-7a90-8a4f-5f2e9c1d7b30',
  attempt_count: 0,
  last_response_status: null,
  last_error: null,
  next_attempt_at: '2026-11-20T09:05:00.002Z',
  created_at: '2026-11-20T09:05:00.002Z',
};
const WEBHOOK_TEST: TestWebhookBody = { url: DELIVERY.url };
const DELIVERY_OPERATIONS = {
  listDeliveries: { 200: DELIVERIES },
  getDelivery: { 200: DELIVERY_DETAILS },
  redeliver: { 200: { ...FRESH_DELIVERY, redelivery_of: DELIVERY.id } },
  testWebhook: {
    request: WEBHOOK_TEST,
    200: { ...FRESH_DELIVERY, event_id: 'evt_test_019aa0146b3d7a908a4f5f2e9c1d7b30' },
  },
};

const APPEAL: Appeal = {
  object: 'appeal',
  id: '019aa00e-1b7c-7c1e-a5f0-8a6d2b3c4d5e',
  job_id: ID,
  decision_id: '019aa00d-9f10-7d4b-b1a2-0c3e5f708192',
  status: 'open',
  created_at: '2026-11-20T09:05:00.000Z',
  decided_at: null,
  reason: null,
};

export const APPEAL_OPERATIONS = {
  appealJob: { request: { text: 'It is a sculpture of marble in a museum.' }, 200: APPEAL },
};

const KEY_OPERATIONS = {
  listStatement: { 200: STATEMENT },
  rotateWebhookSecret: { request: OVERLAP, 200: WEBHOOK_SECRET },
  listKeys: { 200: KEYS },
  createKey: { request: NEW_KEY, 201: { ...ISSUED_KEY, spent_micros: 0 } },
  revokeKey: { 200: DELETED_KEY },
  rotateKey: { request: OVERLAP, 200: ISSUED_KEY },
};

/** Examples of the operations that need the scope `account`. */
export const SELF_SERVICE_OPERATIONS = { ...KEY_OPERATIONS, ...DELIVERY_OPERATIONS };
