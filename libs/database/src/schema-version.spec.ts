import { type TestDatabase, type TestLog, createTestDatabase, createTestLog, waitFor } from '@kinora/testing';
import { migrate } from './migrate';
import { CREATE_OUTBOX_AND_INBOX } from './migrations.fixtures';
import { SchemaVersion } from './schema-version';

const CONTEXT = 'schema-version-spec';

describe('schema version', () => {
  let test: TestDatabase;
  let log: TestLog;

  beforeEach(async () => {
    test = await createTestDatabase(CONTEXT, []);
    log = createTestLog();
  });

  afterEach(() => test.close());

  it('waits for missing migrations, logs them once, and continues when they have run', async () => {
    const version = new SchemaVersion(test.database, [CREATE_OUTBOX_AND_INBOX], log.logger);
    const reached = version.reached();
    await waitFor(() => log.of('schema_behind').length > 0);
    await expect(version.assertReached()).rejects.toThrow(/^the schema is behind$/);
    await migrate(test.url, CONTEXT, [CREATE_OUTBOX_AND_INBOX]);
    await reached;
    const missing = [CREATE_OUTBOX_AND_INBOX.name];
    expect(log.lines).toEqual([expect.objectContaining({ level: 'error', msg: 'schema_behind', missing })]);
  });
});
