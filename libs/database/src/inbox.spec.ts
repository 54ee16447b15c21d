import { type TestDatabase, createTestDatabase } from '@kinora/testing';
import { enterInbox } from './inbox';
import { CreateOutboxAndInbox1795165200000 } from './outbox/outbox.fixtures';

describe('inbox', () => {
  let test: TestDatabase;

  beforeAll(async () => {
    test = await createTestDatabase('inbox-spec', [CreateOutboxAndInbox1795165200000]);
  });

  afterAll(() => test.close());

  const enter = (consumer: string, messageId: string): Promise<boolean> =>
    test.database.transaction((transaction) => enterInbox(transaction, consumer, messageId));

  it('lets one of many simultaneous deliveries of a message pass', async () => {
    const passed = await Promise.all(Array.from({ length: 20 }, () => enter('captures', 'message-1')));
    expect(passed.filter(Boolean)).toHaveLength(1);
    expect(await enter('captures', 'message-1')).toBe(false);
  });

  it('tells consumers apart', async () => {
    expect([await enter('captures', 'message-2'), await enter('statistics', 'message-2')]).toEqual([true, true]);
  });

  it('lets a message pass again whose handling was rolled back', async () => {
    const failing = test.database.transaction(async (transaction) => {
      await enterInbox(transaction, 'captures', 'message-3');
      throw new Error('failed after all');
    });
    await expect(failing).rejects.toThrow('failed after all');
    expect(await enter('captures', 'message-3')).toBe(true);
  });
});
