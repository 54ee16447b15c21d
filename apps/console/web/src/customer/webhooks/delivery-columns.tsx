import type { Delivery } from '../../api/customer';
import type { Pages } from '../../api/pages';
import { ListCard } from '../../components/list-card';
import { type Column } from '../../components/table';
import { Badge, Nothing, Time } from '../../components/values';
import { Link } from '../../router/navigation';
import styles from './webhooks.module.css';

export const DELIVERY_COLUMNS: readonly Column<Delivery>[] = [
  {
    name: 'Event',
    cell: ({ id, event_type, url }) => (
      <span className={styles['event']}>
        <Link to={`/webhooks/${id}`}>{event_type}</Link>
        <small>{url}</small>
      </span>
    ),
  },
  { name: 'Status', cell: ({ status }) => <Badge>{status}</Badge> },
  {
    name: 'Last answer',
    cell: ({ last_response_status, last_error }) => last_response_status ?? last_error ?? <Nothing />,
    isExtra: true,
  },
  { name: 'Attempts', cell: ({ attempt_count }) => attempt_count, isNumber: true, isExtra: true },
  { name: 'Next try', cell: ({ next_attempt_at }) => <Time at={next_attempt_at} />, isNumber: true, isExtra: true },
  { name: 'Created', cell: ({ created_at }) => <Time at={created_at} />, isNumber: true },
];

/** The webhook of a job: where it went, and whether it arrived. */
export const DeliveriesOfJob = ({ pages }: { pages: Pages<Delivery> }) => (
  <ListCard
    title="Webhook"
    caption="Deliveries of this job"
    columns={DELIVERY_COLUMNS}
    pages={pages}
    keyOf={({ id }) => id}
    empty={['No delivery', 'Give a webhook_url with the request to be notified of its end.']}
  />
);
