import { Client } from 'pg';

/** Whether the server takes connections by now: while it recovers from a crash, it listens but refuses. */
export async function isPostgresReady(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  // A server that dies while the connection is being made reports that as an event too, which would end this process.
  client.on('error', () => undefined);
  return client.connect().then(
    () => client.end().then(() => true),
    () => false,
  );
}
