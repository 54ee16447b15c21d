import { HERE, type RuleGroup, THRESHOLD } from './rule';

export const MONEY_AND_SAFETY: RuleGroup[] = [
  {
    name: 'kinora-money',
    rules: [
      {
        name: 'KinoraLedgerBroken',
        expr: `max(kinora_ledger_violations{${HERE}}) > 0 or max(kinora_ledger_drift_micros{${HERE}}) != 0`,
        severity: 'critical',
        summary: 'The ledger does not add up: money is missing or was created.',
        runbook: [
          'Run `kinora ledger verify --full`: it reads every entry again, and names the accounts and the violated rules. No running code can cause this, so check manual changes, a restored backup, and the last release.',
          'Pause the named accounts (`kinora account set-status ACCOUNT_ID paused --reason "ledger broken"`), and keep a copy of the database. Correct by entries (`kinora account adjust ACCOUNT_ID --usd 1.50 --reason "lost refund"`), never by changing rows.',
        ],
      },
      {
        name: 'KinoraLedgerNotVerified',
        expr: `time() - max(kinora_ledger_verified_timestamp_seconds{${HERE}}) > ${THRESHOLD} or absent(kinora_ledger_verified_timestamp_seconds{${HERE}})`,
        threshold: { limit: 21_600, unit: 'seconds' },
        for: '30m',
        severity: 'warning',
        summary: 'The ledger has not been verified as a whole for six hours.',
        runbook: [
          'Billing verifies it by itself, some accounts every ten minutes. See `gauges_not_read` in its log: the database may be away, or the history of an account may be so long that its page takes longer than a minute.',
        ],
      },
      {
        name: 'KinoraHoldsOld',
        expr: `max(kinora_holds_oldest_age_seconds{${HERE}}) > ${THRESHOLD}`,
        threshold: { limit: 7_200, unit: 'seconds' },
        for: '15m',
        severity: 'warning',
        summary: 'Money has been held for longer than a job may take.',
        runbook: [
          'A hold ends with its job, and a hold without a job is refunded by a sweeper of jobs. `kinora holds list ACCOUNT_ID` names the job, and `kinora job show JOB_ID` shows its state. Check that a process with the role `runner` is running (`sweep_interrupted` in its log).',
        ],
      },
      {
        name: 'KinoraMoneyNotSettled',
        expr: `max(kinora_jobs_oldest_unsettled_age_seconds{${HERE}}) > ${THRESHOLD}`,
        threshold: { limit: 300, unit: 'seconds' },
        for: '5m',
        severity: 'critical',
        summary: 'Jobs have ended, but their money is neither captured nor refunded.',
        runbook: [
          'The runner retries at intervals from a second to a minute, until billing acknowledges. Check billing, its database, and `job_settlement_postponed` in the log of jobs. Nothing is lost meanwhile; clients see a balance that is too low.',
        ],
      },
    ],
  },
  {
    name: 'kinora-moderation',
    rules: [
      {
        name: 'KinoraModerationGateOpen',
        expr: `min(kinora_moderation_canary_blocked{${HERE}}) == 0`,
        severity: 'critical',
        summary: 'The moderation gate did not block its canaries, and refuses everything until it does.',
        runbook: [
          'That replica answers every create request with 503. Its log has the number of missed canaries (`moderation_canary_passed`); `moderation_engine_failed` with the engine `rules` or `hash` beside it has the reason. Only the built-in engines block the canaries, so neither a failing external engine nor a `moderation.yaml` can be the cause. Look for a process without memory or a damaged image, and delete the pod. If other replicas fail too, roll back the release.',
        ],
      },
      {
        name: 'KinoraModerationCanaryStale',
        expr: `time() - min(kinora_moderation_canary_timestamp_seconds{${HERE}}) > ${THRESHOLD}`,
        threshold: { limit: 300, unit: 'seconds' },
        severity: 'critical',
        summary: 'The moderation gate has not tested its canaries for five minutes.',
        runbook: ['The test runs every minute. The process hangs: delete its pod, and keep its log.'],
      },
      {
        name: 'KinoraModerationEngineFails',
        expr: `sum by (engine) (rate(kinora_moderation_engine_duration_seconds_count{${HERE}, outcome="failed"}[10m])) / sum by (engine) (rate(kinora_moderation_engine_duration_seconds_count{${HERE}}[10m])) > ${THRESHOLD}`,
        threshold: { limit: 0.05, unit: 'share of its calls' },
        for: '10m',
        severity: 'critical',
        summary: 'A moderation engine fails; content that it cannot check is refused.',
        runbook: [
          'Without a verdict nothing passes: create requests are answered 503, outputs wait and then fail. See `moderation_engine_failed` in the log for the reason, and check the engine itself.',
        ],
      },
    ],
  },
];
