import { Client } from 'pg';
import { describeSchema } from './describe-schema';

const MIGRATION = `
  CREATE SCHEMA described;
  SET search_path = described;
  CREATE TYPE state AS ENUM ('open', 'closed');
  CREATE TABLE wallet (
    account_id uuid PRIMARY KEY,
    position bigint GENERATED ALWAYS AS IDENTITY,
    available_micros bigint NOT NULL DEFAULT 0 CHECK (available_micros >= 0),
    available_usd numeric GENERATED ALWAYS AS (available_micros / 1000000.0) STORED,
    state state
  ) WITH (fillfactor = 70);
  CREATE TABLE hold (job_id uuid, account_id uuid REFERENCES wallet);
  CREATE UNLOGGED TABLE visit (at timestamptz);
  CREATE UNIQUE INDEX hold_of_job ON hold (job_id) WHERE job_id IS NOT NULL;
  CREATE VIEW open_wallet AS SELECT account_id FROM wallet WHERE state = 'open';
  CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
  CREATE TRIGGER hold_is_kept BEFORE DELETE ON hold FOR EACH ROW EXECUTE FUNCTION refuse();
  COMMENT ON TABLE wallet IS 'Money of an account';
  COMMENT ON COLUMN hold.job_id IS 'Whose end ends the hold';
`;

const DESCRIPTION = `CREATE TYPE state AS ENUM ('open', 'closed');

CREATE TABLE hold (
  job_id uuid,
  account_id uuid,
  CONSTRAINT hold_account_id_fkey FOREIGN KEY (account_id) REFERENCES wallet(account_id)
);

CREATE UNLOGGED TABLE visit (
  at timestamp with time zone
);

CREATE TABLE wallet (
  account_id uuid NOT NULL,
  "position" bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  available_micros bigint NOT NULL DEFAULT 0,
  available_usd numeric GENERATED ALWAYS AS (((available_micros)::numeric / 1000000.0)) STORED,
  state state,
  CONSTRAINT wallet_available_micros_check CHECK ((available_micros >= 0)),
  CONSTRAINT wallet_pkey PRIMARY KEY (account_id)
) WITH (fillfactor=70);

CREATE VIEW open_wallet AS
 SELECT account_id
   FROM wallet
  WHERE state = 'open'::state;

CREATE UNIQUE INDEX hold_of_job ON described.hold USING btree (job_id) WHERE (job_id IS NOT NULL);

CREATE OR REPLACE FUNCTION described.refuse()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$BEGIN RETURN NULL; END$function$;

CREATE TRIGGER hold_is_kept BEFORE DELETE ON described.hold FOR EACH ROW EXECUTE FUNCTION refuse();

COMMENT ON COLUMN hold.job_id IS 'Whose end ends the hold';

COMMENT ON TABLE wallet IS 'Money of an account';
`;

describe('description of a schema', () => {
  const client = new Client({ connectionString: process.env['KINORA_TEST_DATABASE_URL'] });

  beforeAll(async () => {
    await client.connect();
    await client.query('BEGIN');
  });

  afterAll(async () => {
    await client.query('ROLLBACK');
    await client.end();
  });

  it('contains everything that a migration can change', async () => {
    await client.query(MIGRATION);
    expect(await describeSchema(client, 'described')).toBe(DESCRIPTION);
  });
});
