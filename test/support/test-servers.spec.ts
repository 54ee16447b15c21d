import { connect } from 'nats';
import { Client } from 'pg';

describe('servers for specs', () => {
  it('offer a PostgreSQL whose user may create roles and schemas', async () => {
    const client = new Client({ connectionString: process.env.KINORA_TEST_DATABASE_URL });
    await client.connect();
    const { rows } = await client.query('SELECT rolsuper, rolcreaterole FROM pg_roles WHERE rolname = current_user');
    await client.end();
    expect(rows).toEqual([{ rolsuper: true, rolcreaterole: true }]);
  });

  it('offer a NATS server with JetStream', async () => {
    const connection = await connect({ servers: process.env.KINORA_TEST_NATS_URL as string });
    const account = await (await connection.jetstreamManager()).getAccountInfo();
    await connection.close();
    expect(account.limits.max_streams).not.toBe(0);
  });
});
