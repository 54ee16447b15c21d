import { afterParagraph, inStep, kinora, nats, query } from './commands';
import type { Incident } from './incidents';

const SIZES =
  'SELECT schemaname, relname, pg_size_pretty(pg_total_relation_size(relid)) AS size, n_live_tup, n_dead_tup FROM pg_stat_user_tables ORDER BY pg_total_relation_size(relid) DESC LIMIT 10';
const SLOTS =
  'SELECT slot_name, active, pg_size_pretty(pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)) AS kept FROM pg_replication_slots';
const ARCHIVE = 'SELECT last_archived_wal, last_archived_time, last_failed_wal, last_failed_time FROM pg_stat_archiver';

export const FULL_DISK: Incident = {
  title: 'A full disk',
  signs: [
    'PostgreSQL: its log has `No space left on device` (SQLSTATE 53100), and requests that write are answered 503 `capacity`. Without room for the write-ahead log the server ends with `PANIC`.',
    'NATS: its log has `no space left on device`, and `/healthz` of its port 8222 is 503 with the same words. Requests are answered as before; events wait: `kinora_outbox_events` grows, and [KinoraOutboxStuck](#kinoraoutboxstuck) fires. Webhooks start with the sweep, up to ten seconds late.',
    'The object store: [KinoraObjectStoreFails](#kinoraobjectstorefails).',
    `How full each disk is: at a server of your own, with the servers of the chart, and in compose.${afterParagraph(
      'df -h "$PGDATA"',
      'kubectl exec --namespace kinora kinora-nats-0 -- df -h /data',
      'docker compose --file deploy/docker/compose.yaml exec postgres df -h /var/lib/postgresql/data',
      'docker compose --file deploy/docker/compose.yaml exec nats df -h /data',
      'docker compose --file deploy/docker/compose.yaml exec objects df -h /data',
    )}`,
  ],
  steps: [
    `PostgreSQL: enlarge the volume, if your platform can: that is the only cure without a loss. **Never delete files in \`pg_wal\`**: PostgreSQL does not start without them. A server that has ended needs a start; Kubernetes and compose start it by themselves.${inStep('pg_ctl start --pgdata "$PGDATA" --wait --log "$PGDATA.log"')}`,
    `See what keeps the write-ahead log: a slot whose standby is gone, or an archive that refuses segments.${inStep(query(SLOTS), query(ARCHIVE))}\n\n   Mend the archive. Drop a slot that no standby will use again; the next checkpoint frees its segments:${inStep(
      query('SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE NOT active'),
      query('CHECKPOINT'),
    )}`,
    `See which tables are large. [Data](data.md#what-is-kept-how-long) says what each keeps, and what services prune. A table with many dead rows needs a vacuum, which reuses their room:${inStep(query(SIZES), query('VACUUM (SKIP_LOCKED)'))}`,
    `NATS: enlarge its volume, then **restart the server**: it writes no event again before that, also with room on its disk. With \`nats.enabled\`, where the class of the volume allows it to grow:${inStep(
      `kubectl patch persistentvolumeclaim store-kinora-nats-0 --namespace kinora --patch '{"spec": {"resources": {"requests": {"storage": "20Gi"}}}}'`,
      'kubectl rollout restart statefulset/kinora-nats --namespace kinora',
    )}\n\n   With the official chart the claims are \`nats-js-nats-0\` to \`-2\` and the StatefulSet is \`nats\`. In compose:${inStep(
      'docker compose --file deploy/docker/compose.yaml restart nats',
    )}`,
    `Or start NATS with an empty volume: outboxes and sweeps repeat every event that is still due. In the chart, then in compose:${inStep(
      'kubectl delete persistentvolumeclaim store-kinora-nats-0 --namespace kinora --wait=false',
      'kubectl delete pod kinora-nats-0 --namespace kinora',
      'docker compose --file deploy/docker/compose.yaml rm --stop --force nats',
      'docker volume rm kinora_nats',
      'docker compose --file deploy/docker/compose.yaml up --detach nats',
    )}`,
    'The object store: enlarge it. Outputs are deleted at their end by themselves; images whose jobs are gone are deleted by a sweep.',
  ],
  over: [
    'The services go on by themselves. No slot keeps more than a few segments, `last_failed_time` is empty or older than `last_archived_time`, the alerts above have ended, and `kinora_outbox_events` is 0. The stream answers, with a leader where the broker is a cluster, and the books are whole:' +
      afterParagraph(nats('stream info KINORA_EVENTS'), kinora('doctor'), kinora('ledger verify --full')),
  ],
};
