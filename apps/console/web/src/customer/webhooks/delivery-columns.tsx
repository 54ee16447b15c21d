import type { Delivery } from '../../api/customer';
import type { Column } from '../../components/table';
import { Badge, Nothing, Time } from '../../components/values';
import { Link } from '../../router/link';
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
