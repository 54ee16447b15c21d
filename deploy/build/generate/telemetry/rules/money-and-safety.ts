import { HERE, type RuleGroup } from './rule';

export const MONEY_AND_SAFETY: RuleGroup[] = [
  {
    name: 'kinora-money',
    rules: [
      {
        name: 'KinoraLedgerBroken',
        expr: `max(kinora_ledger_violations{${HERE}}) > 0 or max(kinora_ledger_drift_micros{${HERE}}) != 0`,
        severity: 'critical',
        summary: 'The ledger does not add up: money is missing or was made.',
        runbook: [
          'Run `kinora ledger verify --full`: it reads every entry again, and names the accounts and the rules. Nothing that runs can bring this about, so think of what was changed by hand, restored from a backup, or released last.',
          'Pause the accounts that it names (`kinora account set-status ID paused --reason …`), keep a copy of the database, and correct by entries (`kinora account adjust`), never by changing rows.',
        ],
      },
      {
        name: 'KinoraLedgerNotVerified',
        expr: `time() - max(kinora_ledger_verified_timestamp_seconds{${HERE}}) > 21600 or absent(kinora_ledger_verified_timestamp_seconds{${HERE}})`,
        for: '30m',
        severity: 'warning',
        summary: 'The ledger has not been verified as a whole for six hours.',
        runbook: [
          'Billing verifies it by itself, some accounts every ten minutes. See `gauges_not_read` in its log: the database may be away, or an account may have so long a history that its page takes longer than a minute.',
        ],
      },
      {
        name: 'KinoraHoldsOld',
        expr: `max(kinora_holds_oldest_age_seconds{${HERE}}) > 7200`,
        for: '15m',
        severity: 'warning',
        summary: 'Money has been held for longer than a job may take.',
        runbook: [
          'A hold ends with its job, and one without a job is refunded by a sweeper of jobs. `kinora holds list ACCOUNT_ID` names the job, `kinora job show JOB_ID` says how it stands. See that a process with the role `runner` is there (`sweep_interrupted` in its log).',
        ],
      },
      {
        name: 'KinoraMoneyNotSettled',
        expr: `max(kinora_jobs_oldest_unsettled_age_seconds{${HERE}}) > 300`,
        for: '5m',
        severity: 'critical',
        summary: 'Jobs have ended and their money is neither captured nor refunded.',
        runbook: [
          'The runner repeats it, at intervals from a second to a minute, until billing acknowledges: see billing, its database, and `job_settlement_postponed` in the log of jobs. Nothing is lost meanwhile; clients see a balance that is too low.',
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
        summary: 'The moderation gate did not block what it must block, and lets nothing pass until it does.',
        runbook: [
          'Every creation is answered 503 by that replica. Its log says how many canaries were missed (`moderation_canary_passed`); `moderation_engine_failed` with the engine `rules` or `hash` beside it says why. The built-in engines alone block the canaries, so that neither an engine of your own that is away nor a `moderation.yaml` can be the reason: look for a process that is out of memory or a damaged image, delete the pod, and go back a release if others do the same.',
        ],
      },
      {
        name: 'KinoraModerationCanaryStale',
        expr: `time() - min(kinora_moderation_canary_timestamp_seconds{${HERE}}) > 300`,
        severity: 'critical',
        summary: 'The moderation gate has not been shown its canaries for five minutes.',
        runbook: ['They are shown every minute. The process hangs: delete its pod, and keep its log.'],
      },
      {
        name: 'KinoraModerationEngineFails',
        expr: `sum by (engine) (rate(kinora_moderation_engine_duration_seconds_count{${HERE}, outcome="failed"}[10m])) / sum by (engine) (rate(kinora_moderation_engine_duration_seconds_count{${HERE}}[10m])) > 0.05`,
        for: '10m',
        severity: 'critical',
        summary: 'An engine of moderation fails to answer; what it cannot judge is refused.',
        runbook: [
          'A gate that cannot answer has not passed: creations are answered 503, outputs wait and then fail. See `moderation_engine_failed` in the log for the reason, and the engine itself.',
        ],
      },
    ],
  },
];
