import type { Incident } from './incidents';

/** A command on a line of its own, inside a numbered step. */
const command = (...lines: string[]): string =>
  `\n\n   \`\`\`sh\n${lines.map((line) => `   ${line}\n`).join('')}   \`\`\``;
const query = (sql: string): string => `psql --command "${sql}" "$ADMIN_URL"`;

/** Incidents of stored data and of secrets. */
export const RECOVERY: Incident[] = [
  {
    title: 'A full disk',
    signs: [
      'PostgreSQL: its log has `No space left on device` (SQLSTATE 53100), and requests that write are answered 503 `capacity`. Without room for the write-ahead log the server ends with `PANIC`.',
      'NATS: [KinoraOutboxStuck](#kinoraoutboxstuck). The object store: [KinoraObjectStoreFails](#kinoraobjectstorefails).',
    ],
    steps: [
      'Enlarge the volume, if your platform can: that is the only cure without a loss. **Never delete files in `pg_wal`**: PostgreSQL does not start without them.',
      `See what keeps the write-ahead log: a slot whose standby is gone, or an archive that refuses segments.${command(
        query(
          'SELECT slot_name, active, pg_size_pretty(pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)) AS kept FROM pg_replication_slots',
        ),
        query('SELECT last_archived_wal, last_archived_time, last_failed_wal, last_failed_time FROM pg_stat_archiver'),
      )}\n\n   Mend the archive. Drop a slot that no standby will use again; the next checkpoint frees its segments:${command(
        query('SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE NOT active'),
        query('CHECKPOINT'),
      )}`,
      `See which tables are large. [Data](data.md#what-is-kept-how-long) says what each keeps, and what services prune. A table with many dead rows needs a vacuum, which reuses their room:${command(
        query(
          'SELECT schemaname, relname, pg_size_pretty(pg_total_relation_size(relid)) AS size, n_live_tup, n_dead_tup FROM pg_stat_user_tables ORDER BY pg_total_relation_size(relid) DESC LIMIT 10',
        ),
        query('VACUUM (SKIP_LOCKED)'),
      )}`,
      'NATS: enlarge its volume, or start it with an empty one. Outboxes and sweeps repeat every event that is still due.',
      'The object store: enlarge it. Outputs are deleted at their end by themselves; images whose jobs are gone are deleted by a sweep.',
    ],
    over: [
      `The services go on by themselves. No slot keeps more than a few segments, \`last_failed_time\` is empty or older than \`last_archived_time\`, the alerts above have ended, and the books are whole:${command(
        'npm run --silent kinora -- doctor',
        'npm run --silent kinora -- ledger verify --full',
      ).replaceAll('\n   ', '\n')}`,
    ],
  },
  {
    title: 'Data is damaged or deleted',
    signs: [
      '[KinoraLedgerBroken](#kinoraledgerbroken), rows that an operator has deleted by mistake, or pages that PostgreSQL cannot read (`invalid page` in its log).',
    ],
    steps: [
      'Stop every service, so that nothing is written that the restore would lose: `kubectl scale deployment --namespace kinora --selector app.kubernetes.io/instance=kinora --replicas 0`, or `docker compose down`. Write down the time.',
      'Find the last good moment: the time of the mistake in the log of your shell, or the newest entry of the ledger that `kinora ledger verify --full` accepts.',
      'Restore PostgreSQL to that moment: [the commands](operate/point-in-time.md), for a server of your own and for compose. The replaced data is kept.',
      "Start the broker empty, then the services, as [after the restore](operate/point-in-time.md#after-the-restore). Compare payments with Stripe, and repeat operator's commands.",
    ],
    over: [
      `PostgreSQL is out of its recovery, and the ledger has no violation, also ten minutes later:${command(
        query('SELECT pg_is_in_recovery()'),
        'npm run --silent kinora -- ledger verify --full',
      ).replaceAll('\n   ', '\n')}`,
    ],
  },
  {
    title: 'A leaked pepper',
    signs: [
      'The value of `key-pepper` is in a log, a ticket, a repository, or a backup that others can read. Nothing fails.',
    ],
    steps: [
      'Find out what else has leaked. Keys cannot be guessed, so a pepper alone opens nothing. With **write** access to the database, it lets an attacker store a key of their own.',
      `Rotate the pepper at once, with overlap: [the key pepper](operate/secrets.md#the-key-pepper). Clients notice nothing. A new value has 32 random bytes:${command(
        'openssl rand -hex 32',
      )}`,
      `If others may have written to the database: list the valid keys that were made since then, beside what operators have done. Revoke each that no operator requested:${command(
        "export SINCE='2026-11-22 13:00:00 UTC'",
        query(
          "SELECT id, account_id, name, created_at, last_used_at FROM billing.api_key WHERE revoked_at IS NULL AND created_at >= '$SINCE' ORDER BY created_at",
        ),
        query(
          "SELECT created_at, actor, action, account_id, reason FROM billing.operator_action WHERE created_at >= '$SINCE' ORDER BY created_at",
        ),
        'npm run --silent kinora -- key revoke KEY_ID',
      )}`,
      'If the hashes have leaked with the pepper: issue new keys for all clients, and revoke the former ones.',
      `Shorten the overlap. These keys still need the leaked pepper; replace or revoke them, then remove it:${command(
        "export ROTATED_AT='2026-11-22 14:00:00 UTC'",
        query(
          "SELECT id, account_id, name, last_used_at FROM billing.api_key WHERE revoked_at IS NULL AND created_at < '$ROTATED_AT' AND coalesce(last_used_at < timestamptz '$ROTATED_AT' + interval '1 minute', true)",
        ),
        'npm run --silent kinora -- key create ACCOUNT_ID --name "after the leak"',
      )}`,
    ],
    over: [
      'The last list is empty, `key-pepper-accepted` is removed from the Secret and billing has restarted, and the leaked value is in no backup that you would restore without a rotation.',
    ],
  },
];
