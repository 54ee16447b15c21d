import { afterParagraph, inStep, kinora, query } from './commands';
import { FULL_DISK } from './full-disk';
import type { Incident } from './incidents';

/** Incidents of stored data and of secrets. */
export const RECOVERY: Incident[] = [
  FULL_DISK,
  {
    title: 'Data is damaged or deleted',
    signs: [
      '[KinoraLedgerBroken](#kinoraledgerbroken), rows that an operator has deleted by mistake, or pages that PostgreSQL cannot read (`invalid page` in its log).',
    ],
    steps: [
      `Write down the time. Where the ledger is broken, see the accounts with violations and their entries while billing still runs:${inStep(
        kinora('ledger verify --full'),
        kinora('account statement ACCOUNT_ID'),
      )}`,
      `Pause what would start the services again: the automatic sync of Argo CD, and KEDA where it scales a service, which returns to \`minReplicas\` within half a minute:${inStep(
        'kubectl annotate scaledobject --namespace kinora --selector app.kubernetes.io/instance=kinora autoscaling.keda.sh/paused-replicas=0',
      )}`,
      `Stop every service, so that nothing is written that the restore would lose. In Kubernetes, or in compose:${inStep(
        'kubectl scale deployment --namespace kinora --selector app.kubernetes.io/instance=kinora --replicas 0',
        'docker compose --file deploy/docker/compose.yaml down',
      )}`,
      'Find the last good moment: the time of the mistake in the log of your shell, or that of the last entry before the first wrong one.',
      'Restore PostgreSQL to that moment: [the commands](operate/point-in-time.md), for a server of your own and for compose. The replaced data is kept.',
      "Start the broker empty, then the services, as [after the restore](operate/point-in-time.md#after-the-restore). Compare payments with Stripe, and repeat operator's commands.",
    ],
    over: [
      `PostgreSQL is out of its recovery, and the ledger has no violation, also ten minutes later:${afterParagraph(
        query('SELECT pg_is_in_recovery()'),
        kinora('ledger verify --full'),
      )}`,
    ],
  },
  {
    title: 'A leaked pepper',
    signs: [
      'The value of `key-pepper` is in a log, a ticket, a repository, or a backup that others can read. Nothing fails.',
    ],
    steps: [
      'Find out what else has leaked. Keys cannot be guessed, so a pepper alone opens nothing. With **write** access to the database, it lets an attacker store a key of their own.',
      `Rotate the pepper at once, with overlap: [the key pepper](operate/secrets.md#the-key-pepper). Clients notice nothing. A new value has 32 random bytes:${inStep(
        'openssl rand -hex 32',
      )}`,
      `If others may have written to the database: list the valid keys that were made since then, beside what operators have done. Revoke each that no operator requested:${inStep(
        "export SINCE='2026-11-22 13:00:00 UTC'",
        query(
          "SELECT id, account_id, name, created_at, last_used_at FROM billing.api_key WHERE revoked_at IS NULL AND created_at >= '$SINCE' ORDER BY created_at",
        ),
        query(
          "SELECT created_at, actor, action, account_id, reason FROM billing.operator_action WHERE created_at >= '$SINCE' ORDER BY created_at",
        ),
        kinora('key revoke KEY_ID'),
      )}`,
      'If the hashes have leaked with the pepper: issue new keys for all clients, and revoke the former ones.',
      `Shorten the overlap. These keys still need the leaked pepper; replace or revoke them, then remove it:${inStep(
        "export ROTATED_AT='2026-11-22 14:00:00 UTC'",
        query(
          "SELECT id, account_id, name, last_used_at FROM billing.api_key WHERE revoked_at IS NULL AND created_at < '$ROTATED_AT' AND coalesce(last_used_at < timestamptz '$ROTATED_AT' + interval '1 minute', true)",
        ),
        kinora('key create ACCOUNT_ID --name "after the leak"'),
      )}`,
    ],
    over: [
      'The last list is empty, `key-pepper-accepted` is removed from the Secret and billing has restarted, and the leaked value is in no backup that you would restore without a rotation.',
    ],
  },
];
