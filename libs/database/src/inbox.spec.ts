import { type TestDatabase, createTestDatabase } from '@kinora/testing';
import { enterInbox } from './inbox';
import { CREATE_OUTBOX_AND_INBOX } from './migrations.fixtures';

describe('inbox', () => {
  let test: TestDatabase;

  beforeAll(async () => {
    test = await createTestDatabase('inbox-spec', [CREATE_OUTBOX_AND_INBOX]);
  });

  afterAll(() => test.close());

  const enter = (consumer: string, messageId: string): Promise<boolean> =>
    test.database.transaction((transaction) => enterInbox(transaction, consumer, messageId));

  it('accepts one of many simultaneous deliveries of a message', async () => {
    const passed = await Promise.all(Array.from({ length: 20 }, () => enter('captures', 'message-1')));
    expect(passed.filter(Boolean)).toHaveLength(1);
    expect(await enter('captures', 'message-1')).toBe(false);
  });

  it('keeps consumers apart', async () => {
    expect([await enter('captures', 'message-2'), await enter('statistics', 'message-2')]).toEqual([true, true]);
  });

  it('accepts a message again whose transaction was rolled back', async () => {
    const failing = test.database.transaction(async (transaction) => {
      await enterInbox(transaction, 'captures', 'message-3');
      throw new Error('failed after all');
    });
    await expect(failing).rejects.toThrow('failed after all');
    expect(await enter('captures', 'message-3')).toBe(true);
  });
});
