import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Controller } from '@nestjs/common';
import { Handles, fitIntoMessage } from '@kinora/bus';
import { billingRpc } from '@kinora/contracts/billing/billing.rpc';
import type { JobFinished } from '@kinora/contracts/jobs/jobs.events';
import { type FinishedCursor, type FinishedPage, jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { Egress, EgressAllowList } from '@kinora/egress';
import {
  HttpsReceiver,
  RECEIVER_AUTHORITY_FILE,
  TestBroker,
  type TestDatabase,
  type TestService,
  createTestDatabase,
  startTestService,
  closeAll,
} from '@kinora/testing';
import { migrations } from '../src/migrations/migrations';
import { WebhookDispatcherConfig } from '../src/webhook-dispatcher.config';
import { PARTS } from '../src/webhook-dispatcher.module';

/** Stand-ins for the contexts that the dispatcher sends requests to; specs change their answers. */
export class FakeContexts {
  /** The secrets of every account; null while billing is unavailable. */
  secrets: string[] | null = ['whsec_new', 'whsec_old'];
  /** In the order in which the jobs ended. */
  finished: JobFinished[] = [];
}

@Controller()
class FakeContextsController {
  constructor(private readonly fakes: FakeContexts) {}

  @Handles(billingRpc.getWebhookSecrets)
  async getWebhookSecrets(_request: { account_id: string }): Promise<{ secrets: string[] }> {
    if (!this.fakes.secrets) throw ApiError.unavailable('Billing');
    return { secrets: this.fakes.secrets };
  }

  @Handles(jobsRpc.listFinished)
  async listFinished({ after, limit }: { after: FinishedCursor | null; limit: number }): Promise<FinishedPage> {
    const later = this.fakes.finished.filter((event) => after === null || isAfter(cursorOf(event), after));
    const finished = fitIntoMessage(later.slice(0, limit));
    const last = finished.at(-1);
    return {
      finished,
      next: last ? cursorOf(last) : null,
      has_more: finished.length < later.length,
      read_at: new Date().toISOString(),
    };
  }
}

export interface TestEnvironment {
  fakes: FakeContexts;
  database: TestDatabase;
  /** Its certificate is trusted, and it is one of the two private addresses that webhooks may reach. */
  receiver: HttpsReceiver;
  /** The other address: a different port counts as a different host. */
  hangingReceiver: HttpsReceiver;
  /** Starts one more dispatcher. */
  startDispatcher: () => Promise<TestService>;
  close: () => Promise<void>;
}

/** Everything a dispatcher needs: real servers, and fakes for the contexts that it sends requests to. */
export async function openTestEnvironment(): Promise<TestEnvironment> {
  const fakes = new FakeContexts();
  // The broker's default limit.
  const broker = await TestBroker.start('max_payload: 1MB');
  const database = await createTestDatabase('webhook-dispatcher', migrations);
  const receiver = await HttpsReceiver.start();
  const hangingReceiver = await HttpsReceiver.start();
  const fakesService = await startTestService({
    name: 'other-contexts',
    natsUrl: broker.url,
    controllers: [FakeContextsController],
    providers: [{ provide: FakeContexts, useValue: fakes }],
  });
  const allow = EgressAllowList.parse(`127.0.0.1:${receiver.port},127.0.0.1:${hangingReceiver.port}`);
  const authority = readFileSync(RECEIVER_AUTHORITY_FILE, 'utf8');
  return {
    fakes,
    database,
    receiver,
    hangingReceiver,
    startDispatcher: () =>
      startTestService({
        name: 'webhook-dispatcher',
        natsUrl: broker.url,
        config: Object.assign(new WebhookDispatcherConfig(), { databaseUrl: database.url }),
        ...PARTS,
        providers: [
          ...PARTS.providers,
          { provide: Egress, useValue: new Egress({ allow, authority }) },
          { provide: EgressAllowList, useValue: allow },
        ],
      }),
    close: () =>
      closeAll([fakesService, broker, database, receiver, hangingReceiver].map((part) => async () => part.close())),
  };
}

/** The event of a job that has just ended. */
export function jobFinished(webhookUrl: string | null, completedAt = new Date()): JobFinished {
  const id = randomUUID();
  return {
    event_id: `evt_${id.replaceAll('-', '')}`,
    account_id: randomUUID(),
    webhook_url: webhookUrl,
    job: {
      id,
      object: 'job',
      status: 'canceled',
      kind: 'image.generation',
      model: 'general-image',
      input: {
        prompt: 'Grüße aus „Köln“ 🎨',
        model: 'general-image',
        size: '512x512',
        n: 1,
        seed: 7,
        output_format: 'png',
      },
      output: null,
      usage: { charged_micros: 0, charged_usd: 0, gpu_ms: null },
      moderation: { status: 'passed' },
      error: null,
      created_at: completedAt.toISOString(),
      started_at: null,
      completed_at: completedAt.toISOString(),
      expires_at: null,
      metadata: { order: '12' },
    },
  };
}

function cursorOf({ job }: JobFinished): FinishedCursor {
  return { completed_at: job.completed_at ?? '', job_id: job.id };
}

function isAfter(one: FinishedCursor, other: FinishedCursor): boolean {
  if (one.completed_at !== other.completed_at) return one.completed_at > other.completed_at;
  return one.job_id > other.job_id;
}
