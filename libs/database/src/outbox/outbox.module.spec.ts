import { Controller } from '@nestjs/common';
import { type EventDelivery, OnEvent } from '@kinora/bus';
import { event } from '@kinora/contracts/shared/contract';
import { DatabaseServiceConfig } from '@kinora/service-kit';
import {
  TestBroker,
  type TestDatabase,
  type TestService,
  createTestDatabase,
  startTestService,
  waitFor,
} from '@kinora/testing';
import { Database } from '../database';
import { DatabaseModule } from '../database.module';
import { enterInbox } from '../inbox';
import { statement } from '../statement';
import { appendToOutbox } from './outbox';
import { CREATE_OUTBOX_AND_INBOX } from '../migrations.fixtures';
import { OutboxModule } from './outbox.module';

const CONTEXT = 'outbox-module-spec';
const eventSent = event<{ id: number }>('jobs.v1.event.outbox_module_spec_happened');
const COUNT = statement('outbox_count', 'SELECT count(*) AS rows FROM outbox');

@Controller()
class EventController {
  readonly handled: number[] = [];
  deliveries = 0;

  constructor(private readonly database: Database) {}

  @OnEvent(eventSent)
  async onEvent({ id }: { id: number }, { messageId }: EventDelivery): Promise<void> {
    this.deliveries += 1;
    const isNew = await this.database.transaction((transaction) => enterInbox(transaction, CONTEXT, messageId));
    if (isNew) this.handled.push(id);
    if (this.deliveries === 1) throw new Error('killed after its commit, before its acknowledgement');
  }
}

describe('from the outbox of one context to the inbox of another', () => {
  let broker: TestBroker;
  let test: TestDatabase;
  let service: TestService;
  let controller: EventController;

  beforeEach(async () => {
    [broker, test] = await Promise.all([TestBroker.start(), createTestDatabase(CONTEXT, [CREATE_OUTBOX_AND_INBOX])]);
    service = await startTestService({
      name: CONTEXT,
      config: Object.assign(new DatabaseServiceConfig(), { databaseUrl: test.url }),
      imports: [DatabaseModule.forContext(CONTEXT, [CREATE_OUTBOX_AND_INBOX]), OutboxModule],
      controllers: [EventController],
      natsUrl: broker.url,
    });
    controller = service.get(EventController);
  });

  afterEach(async () => {
    await service.close();
    await Promise.all([broker.close(), test.close()]);
  });

  const append = (id: number): Promise<void> =>
    service.get(Database).transaction((transaction) => appendToOutbox(transaction, eventSent, { id }));

  const rowsLeft = async (): Promise<number> => (await test.database.findOne<{ rows: number }>(COUNT))?.rows ?? -1;

  it('an event takes effect once, however often it is delivered', async () => {
    await append(1);
    await waitFor(() => controller.deliveries === 2);
    expect(controller.handled).toEqual([1]);
  });

  it('waits for a broker that is away, and survives the loss of its whole store', async () => {
    await append(1);
    // The relay deletes the row after the acknowledgement of the broker, which may arrive after the event itself.
    await waitFor(async () => controller.handled.length === 1 && (await rowsLeft()) === 0);
    await broker.stop();
    await append(2);
    await waitFor(() => service.log.of('outbox_relay_interrupted').length > 0);
    expect(await rowsLeft()).toBe(1);
    await broker.wipe();
    await broker.startAgain();
    await waitFor(() => controller.handled.includes(2));
    await append(3);
    await waitFor(() => controller.handled.includes(3));
    expect(controller.handled).toEqual([1, 2, 3]);
  });
});
