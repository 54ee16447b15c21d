import { useMutation } from '@tanstack/react-query';
import { post } from '../../api/client';
import { API, type Delivery, type DeliveryDetails, type Job } from '../../api/customer';
import { useGet } from '../../api/pages';
import { Button } from '../../components/button';
import { CodeBlock } from '../../components/code-tabs';
import { Card, Columns, Page, Stack } from '../../components/page';
import { Empty, Loaded } from '../../components/states';
import { notify, notifyError } from '../../components/toasts';
import { Badge, Facts, Id, Time } from '../../components/values';
import { formatDuration } from '../../formatting/format';
import { Link, navigate } from '../../router/navigation';
import type { PageProps } from '../../routes';
import styles from './webhooks.module.css';

const POLL_MS = 5_000;

export function DeliveryPage({ params }: PageProps) {
  const id = params['id'] ?? '';
  const delivery = useGet<DeliveryDetails>(['delivery', id], `${API}/webhooks/deliveries/${encodeURIComponent(id)}`, {
    refetchInterval: ({ state }) => (state.data?.status === 'pending' ? POLL_MS : false),
  });
  const again = useMutation({
    mutationFn: () => post<Delivery>(`${API}/webhooks/deliveries/${encodeURIComponent(id)}/redeliver`),
    onSuccess: (repeated) => {
      notify('It is sent again.');
      navigate(`/webhooks/${repeated.id}`);
    },
    onError: notifyError,
  });
  return (
    <Page
      title="Delivery"
      intro={<Id id={id} label="delivery id" full />}
      actions={
        delivery.data && (
          <Button kind="primary" isBusy={again.isPending} onClick={() => again.mutate()}>
            Send again
          </Button>
        )
      }
    >
      <Loaded query={delivery} unknown={['This account has no delivery with that id', 'Find it in the list.']}>
        {(data) => <DeliveryView delivery={data} />}
      </Loaded>
    </Page>
  );
}

function DeliveryView({ delivery }: { delivery: DeliveryDetails }) {
  return (
    <Columns>
      <Card title="Attempts">
        {delivery.attempts.length === 0 ? <Empty title="The first attempt is under way" /> : null}
        <ol className={styles['attempts']}>
          {[...delivery.attempts].reverse().map((attempt) => (
            <li key={attempt.number}>
              <p>
                <strong>Attempt {attempt.number}</strong>
                <Badge tone={attempt.error === null ? 'good' : 'bad'}>
                  {String(attempt.response_status ?? attempt.error)}
                </Badge>
                <span>{formatDuration(attempt.latency_ms)}</span>
                <Time at={attempt.ended_at} exact />
              </p>
              {attempt.error !== null && attempt.response_status !== null && <p>{attempt.error}</p>}
              {attempt.response_body !== null && attempt.response_body !== '' && (
                <CodeBlock label="First KiB of the answer" text={attempt.response_body} />
              )}
            </li>
          ))}
        </ol>
      </Card>
      <Stack>
        <Card title="Details">
          <Facts
            facts={[
              ['Status', <Badge key="status">{delivery.status}</Badge>],
              ['Receiver', delivery.url],
              ['Event', <Id key="event" id={delivery.event_id} label="event id" />],
              ['Type', delivery.event_type],
              [
                'Job',
                isTest(delivery) ? (
                  'None: this is a test event'
                ) : (
                  <Link key="job" to={`/jobs/${delivery.job_id}`}>
                    {delivery.job_id}
                  </Link>
                ),
              ],
              ['Next try', <Time key="next" at={delivery.next_attempt_at} />],
              ['Created', <Time key="created" at={delivery.created_at} exact />],
              ...(delivery.redelivery_of === null
                ? []
                : [
                    [
                      'Repeats',
                      <Link key="first" to={`/webhooks/${delivery.redelivery_of}`}>
                        {delivery.redelivery_of}
                      </Link>,
                    ] as const,
                  ]),
            ]}
          />
        </Card>
        {!isTest(delivery) && <Payload delivery={delivery} />}
      </Stack>
    </Columns>
  );
}

/** The event of a test names a job that does not exist. */
const isTest = ({ event_id }: Pick<Delivery, 'event_id'>) => event_id.startsWith('evt_test_');

/** The console itself knows files by addresses of its own. */
const SIGNED_LINK = '(a signed link)';

/** The payload holds the job as it is now. */
function Payload({ delivery }: { delivery: DeliveryDetails }) {
  const job = useGet<Job>(['job', delivery.job_id], `${API}/jobs/${delivery.job_id}`, {
    retry: false,
  });
  if (!job.data) return null;
  const created = Math.floor(new Date(delivery.created_at).getTime() / 1000);
  const payload = { id: delivery.event_id, type: delivery.event_type, created, data: { object: job.data } };
  const text = JSON.stringify(payload, (name, value: unknown) => (name === 'url' && value ? SIGNED_LINK : value), 2);
  return (
    <Card title="Payload" intro="What the next attempt sends: the job as it is now, with links that are signed then.">
      <CodeBlock label="JSON" text={text} />
    </Card>
  );
}
