import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Controller } from '@nestjs/common';
import { EventPublisher, Handles, fitIntoMessage } from '@kinora/bus';
import { billingRpc } from '@kinora/contracts/billing/billing.rpc';
import { type JobFinished, jobsEvents } from '@kinora/contracts/jobs/jobs.events';
import { type FinishedCursor, type FinishedPage, jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import type { DeliveryDetails, ListDeliveriesRequest } from '@kinora/contracts/webhooks/webhooks.rpc';
import { type Database, type GaugeSampler, statement } from '@kinora/database';
import { Egress, EgressAllowList } from '@kinora/egress';
import { type Clock, SYSTEM_CLOCK } from '@kinora/service-kit';
import {
  HttpsReceiver,
  RECEIVER_AUTHORITY_FILE,
  type ReceivedRequest,
  TestBroker,
  type TestDatabase,
  type TestLog,
  type TestService,
  createTestDatabase,
  createTestLog,
  startTestService,
  closeAll,
  waitFor,
} from '@kinora/testing';
import { v7 as uuidv7 } from 'uuid';
import { AttemptMonths, DeliveryMonths } from '../src/delivery/delivery-months';
import { DeliveryRepository } from '../src/delivery/delivery.repository';
import { migrations } from '../src/migrations/migrations';
import { ListDeliveries } from '../src/use-cases/list-deliveries.query';
import { SweepFinishedJobs } from '../src/use-cases/sweep-finished-jobs.use-case';
import { WebhookDispatcherConfig } from '../src/webhook-dispatcher.config';
import { PARTS } from '../src/webhook-dispatcher.module';

const MAKE_SWEEP_DUE = statement('spec_make_sweep_due', "UPDATE sweep SET begun_at = '-infinity'");
const IS_SWEPT = statement('spec_is_swept', 'SELECT FROM sweep WHERE reached_at >= begun_at');

/** Stand-ins for the contexts that the dispatcher sends requests to; specs change their answers. */
class FakeContexts {
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

/** A dispatcher with everything that it needs: real servers, and fakes for the contexts that it sends requests to. */
class TestDispatcher {
  readonly fakes = new FakeContexts();
  /** Its certificate is trusted, and it is one of the two private addresses that webhooks may reach. */
  receiver!: HttpsReceiver;
  /** The other address: a different port counts as a different host. */
  hangingReceiver!: HttpsReceiver;
  private testDatabase!: TestDatabase;
  private broker!: TestBroker;
  private fakesService!: TestService;
  private services: TestService[] = [];

  /** @param clock of the deadlines of attempts */
  constructor(private readonly clock = SYSTEM_CLOCK) {}

  /** Without a dispatcher, which `start` adds. */
  async open(): Promise<void> {
    // The broker's default limit.
    this.broker = await TestBroker.start('max_payload: 1MB');
    this.testDatabase = await createTestDatabase('webhook-dispatcher', migrations);
    this.receiver = await HttpsReceiver.start();
    this.hangingReceiver = await HttpsReceiver.start();
    this.fakesService = await startTestService({
      name: 'other-contexts',
      natsUrl: this.broker.url,
      controllers: [FakeContextsController],
      providers: [{ provide: FakeContexts, useValue: this.fakes }],
    });
  }

  async close(): Promise<void> {
    await this.stop();
    const parts = [this.fakesService, this.broker, this.testDatabase, this.receiver, this.hangingReceiver];
    await closeAll(parts.map((part) => async () => part.close()));
  }

  /** Starts one more replica. */
  async start(): Promise<TestService> {
    const allow = EgressAllowList.parse(`127.0.0.1:${this.receiver.port},127.0.0.1:${this.hangingReceiver.port}`);
    const authority = readFileSync(RECEIVER_AUTHORITY_FILE, 'utf8');
    const service = await startTestService({
      name: 'webhook-dispatcher',
      natsUrl: this.broker.url,
      config: Object.assign(new WebhookDispatcherConfig(), { databaseUrl: this.testDatabase.url }),
      ...PARTS,
      providers: [
        ...PARTS.providers,
        { provide: Egress, useValue: new Egress({ allow, authority, clock: this.clock }) },
        { provide: EgressAllowList, useValue: allow },
      ],
    });
    this.services.push(service);
    return service;
  }

  async stop(): Promise<void> {
    await Promise.all(this.services.splice(0).map((service) => service.close()));
  }

  get replicas(): readonly TestService[] {
    return this.services;
  }

  /** Of the first replica. */
  get log(): TestLog {
    return (this.services[0] as TestService).log;
  }

  get database(): Database {
    return this.testDatabase.database;
  }

  /** A provider of the first replica. */
  get: TestService['get'] = (type) => (this.services[0] as TestService).get(type);

  hookUrl(path = '/hook'): string {
    return `https://127.0.0.1:${this.receiver.port}${path}`;
  }

  /** Makes the receiver answer every request with the status. */
  answer(status: number): void {
    this.receiver.answer = (_request, response) => response.writeHead(status).end();
  }

  requestsOf(eventId: string): ReceivedRequest[] {
    return this.receiver.requests.filter(({ body }) => body.includes(`"${eventId}"`));
  }

  /** Writes deliveries, which the loops of the replicas send. */
  insert(events: JobFinished[]): Promise<number> {
    return new DeliveryRepository(this.database).insertFor(events);
  }

  async list(request: ListDeliveriesRequest): Promise<DeliveryDetails[]> {
    return (await this.get(ListDeliveries).execute(request)).data;
  }

  deliveriesOf({ event_id }: Pick<JobFinished, 'event_id'>): Promise<DeliveryDetails[]> {
    return this.list({ event_id });
  }

  /** Resolves when the first attempt at the event has ended. */
  attempted(event: JobFinished): Promise<DeliveryDetails> {
    return waitFor(async () => {
      const [delivery] = await this.deliveriesOf(event);
      return delivery && delivery.attempts > 0 ? delivery : null;
    });
  }

  /** Publishes the event of a finished job, as jobs does. */
  async publish(event: JobFinished): Promise<void> {
    await this.get(EventPublisher).publish(jobsEvents.finished.subject, event, randomUUID());
  }

  /** A sweep of finished jobs, whose lease is free. The loop of the replica may be the one that sweeps. */
  async sweep(): Promise<void> {
    await this.database.execute(MAKE_SWEEP_DUE);
    await this.get(SweepFinishedJobs).execute();
    await waitFor(() => this.database.findOne(IS_SWEPT));
  }
}

/** Starts replicas before the specs and stops them afterwards. */
export function useDispatcher(replicas = 1, clock?: Clock): TestDispatcher {
  const dispatcher = new TestDispatcher(clock);
  beforeAll(async () => {
    await dispatcher.open();
    for (let count = 0; count < replicas; count++) await dispatcher.start();
  });
  afterAll(() => dispatcher.close());
  return dispatcher;
}

/** The partitions of deliveries and of attempts. */
export function monthsOf(database: Database, deliveryRetentionDays = 0): [DeliveryMonths, AttemptMonths] {
  const config = Object.assign(new WebhookDispatcherConfig(), { deliveryRetentionDays });
  const sampler = { add: () => undefined } as unknown as GaugeSampler;
  const { logger } = createTestLog();
  return [new DeliveryMonths(config, database, sampler, logger), new AttemptMonths(config, database, sampler, logger)];
}

/** The event of a job that has just ended. */
export function jobFinished(webhookUrl: string | null, completedAt = new Date()): JobFinished {
  const id = uuidv7();
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
