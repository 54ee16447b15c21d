import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type TestDatabase, createTestDatabase } from '@kinora/testing';
import { Client } from 'pg';
import { ROLE_SETTINGS, assertSessionUsable, leadsToPooler } from './session-settings';

const CONTEXTS_SQL = path.join(__dirname, '../../../deploy/helm/kinora/files/postgres/contexts.sql');

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
});

describe('the script for administrators', () => {
  const suffix = randomBytes(4).toString('hex');
  const password = 'kinora-test';
  let test: TestDatabase;
  let administrator: Client;

  beforeAll(async () => {
    test = await createTestDatabase('scripts-spec', []);
    administrator = new Client({ connectionString: test.adminUrl });
    await administrator.connect();
  });
  afterAll(async () => {
    await administrator.end();
    await test.close();
  });

  /** psql inserts the passwords. Roles belong to the whole server, so those of the test have names of their own. */
  const run = async () => {
    const script = readFileSync(CONTEXTS_SQL, 'utf8').replace(/:'\w+_password'/g, `'${password}'`);
    await administrator.query(script.replace(/\bkinora_[a-z_]+/g, (role) => `${role}_${suffix}`));
  };

  it('gives every role its own schema only, with the limits of its sessions', async () => {
    const contexts = ['jobs', 'billing', 'moderation', 'catalog', 'webhook_dispatcher', 'console'];
    try {
      await run();
      for (const context of contexts) {
        const url = new URL(test.adminUrl);
        Object.assign(url, { username: `kinora_${context}_${suffix}`, password });
        const client = new Client({ connectionString: url.toString() });
        await client.connect();
        try {
          await expect(assertSessionUsable(client, 'transaction')).resolves.toBeUndefined();
          await client.query('CREATE TABLE owned (id integer)');
          const { rows } = await client.query(
            `SELECT schemaname FROM pg_tables WHERE tablename = 'owned' AND tableowner = CURRENT_USER`,
          );
          expect(rows).toEqual([{ schemaname: context }]);
          await expect(client.query('CREATE TABLE scripts_spec.other (id integer)')).rejects.toThrow(
            /permission denied/,
          );
        } finally {
          await client.end();
        }
      }
    } finally {
      for (const context of contexts)
        await administrator.query(
          `DROP SCHEMA IF EXISTS ${context} CASCADE; DROP ROLE IF EXISTS kinora_${context}_${suffix}`,
        );
    }
  });
});
