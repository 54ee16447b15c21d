import { BaselineMigration } from '@kinora/database/without-nest';

/**
 * Each verdict of the gate, with its policy, the versions of the engines and their findings, so that it can be explained and
 * replayed under another policy. The table is append-only: it is vacuumed after a share of inserts, so that rows are frozen in
 * small portions.
 */
const DECISION = `
  CREATE TABLE decision (
    id uuid PRIMARY KEY,
    account_id uuid NOT NULL,
    job_id uuid NOT NULL,
    stage text NOT NULL CHECK (stage IN ('input', 'output')),
    verdict text NOT NULL CHECK (verdict IN ('passed', 'blocked')),
    engine text,
    reason text,
    content_sha256 text[] NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    policy_version text,
    engines json,
    findings json,
    -- Engines judge texts and images by different thresholds, so a replay must know how many of the hashes are of texts.
    texts integer,
    CONSTRAINT decision_blocked_has_reason CHECK ((verdict = 'blocked') = (engine IS NOT NULL AND reason IS NOT NULL)),
    CONSTRAINT decision_judged_something CHECK (cardinality(content_sha256) > 0),
    CONSTRAINT decision_says_how CHECK (policy_version IS NOT NULL AND engines IS NOT NULL AND findings IS NOT NULL)
  ) WITH (autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02);
  CREATE INDEX decision_by_job ON decision (job_id);
  CREATE INDEX decision_by_account ON decision (account_id, id);
  -- Nearly all rows are passed decisions, which are in neither index.
  CREATE INDEX decision_blocked ON decision (id) WHERE verdict = 'blocked';
  CREATE INDEX decision_blocked_of_account ON decision (account_id, id) WHERE verdict = 'blocked'`;

/** An operator may lift a strike, with a reason; the strike stays on record. */
const STRIKE = `
  CREATE TABLE strike (
    id uuid PRIMARY KEY,
    account_id uuid NOT NULL,
    job_id uuid NOT NULL CONSTRAINT strike_once_a_job UNIQUE,
    decision_id uuid NOT NULL REFERENCES decision (id),
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    lifted_at timestamptz,
    lifted_by text,
    lift_reason text,
    CONSTRAINT strike_lifted_for_a_reason CHECK ((lifted_at IS NULL) = (lift_reason IS NULL))
  );
  CREATE INDEX strike_by_account ON strike (account_id, created_at)`;

/** Accounts that rehearse: a block of moderation's own test material is no strike for them. */
const REHEARSAL_ACCOUNT = `
  CREATE TABLE rehearsal_account (
    account_id uuid PRIMARY KEY,
    created_at timestamptz NOT NULL DEFAULT now()
  )`;

/** Strikes that a relay publishes after the commit, each with the trace that its subscribers continue. */
const OUTBOX = `
  CREATE TABLE outbox (
    id uuid PRIMARY KEY,
    subject text NOT NULL,
    payload json NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    traceparent text
  )`;

/**
 * Why: the decisions of the gate, and the strikes that follow from them.
 * Lock: none, the tables are new. Way back: none, it is the first migration.
 */
export class Baseline1795876200000 extends BaselineMigration {
  readonly name = 'Baseline1795876200000';
  readonly replaces = 'CreateRehearsalAccount1795363200000';
  protected readonly schema = [DECISION, STRIKE, REHEARSAL_ACCOUNT, OUTBOX];
}
