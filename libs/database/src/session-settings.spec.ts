import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type TestDatabase, createTestDatabase } from '@kinora/testing';
import { Client } from 'pg';
import { ROLE_SETTINGS, assertSessionUsable, leadsToPooler } from './session-settings';

const CONSOLE_SQL = path.join(__dirname, '../../../deploy/postgres/console.sql');
const CONTEXTS_SQL = path.join(__dirname, '../../../deploy/postgres/contexts.sql');

describe('the session of a context', () => {
  let test: TestDatabase;
  /** Sends no settings of its own, as behind a pooler. */
  let client: Client;

  beforeEach(async () => {
    test = await createTestDatabase('session-settings-spec', []);
    client = new Client({ connectionString: test.url });
    await client.connect();
  });

  afterEach(async () => {
    await client.end();
    await test.close();
  });

  it('has its limits from its role', async () => {
    await expect(assertSessionUsable(client, 'transaction')).resolves.toBeUndefined();
    await expect(assertSessionUsable(client, 'none')).resolves.toBeUndefined();
    expect(await leadsToPooler(client)).toBe(false);
  });

  it('is refused without them, and the error names each one and the cure', async () => {
    await client.query('SET statement_timeout = 0');
    await client.query('SET enable_seqscan = on');
    await expect(assertSessionUsable(client, 'transaction')).rejects.toThrow(
      /enable_seqscan is on instead of off, statement_timeout is 0 instead of 10s\. .*ALTER ROLE .*contexts\.sql/,
    );
  });

  it('has the settings that the script for administrators gives', () => {
    const script = readFileSync(CONTEXTS_SQL, 'utf8');
    const given = [...script.matchAll(/^ +\['(\w+)', '(\w+)'\],?$/gm)].map(([, name, value]) => [name, value]);
    expect(Object.fromEntries(given)).toEqual(ROLE_SETTINGS);
  });

  it('has the settings that the script for the console in an existing database gives', () => {
    const script = readFileSync(CONSOLE_SQL, 'utf8');
    const given = [...script.matchAll(/^ALTER ROLE kinora_console SET (?!search_path)(\w+) = '(\w+)';$/gm)];
    expect(Object.fromEntries(given.map(([, name, value]) => [name, value]))).toEqual(ROLE_SETTINGS);
  });
});
