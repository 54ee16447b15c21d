import { API, type LoggedRequest } from '../../api/customer';
import { type Page as ListPage, useGet } from '../../api/pages';
import { Card, Page } from '../../components/page';
import { Empty, ErrorCode, Loaded } from '../../components/states';
import { Facts, Id, Time } from '../../components/values';
import { formatBytes, formatDuration } from '../../formatting/format';
import { Link } from '../../router/navigation';
import type { PageProps } from '../../routes';
import { KeyName, RequestStatus, useKeyNames } from './requests-page';

/** One request, by the id that its response has named. */
export function RequestPage({ params }: PageProps) {
  const id = params['id'] ?? '';
  const path = `${API}/requests?request_id=${encodeURIComponent(id)}`;
  const found = useGet<ListPage<LoggedRequest>>(['request', id], path);
  const unknown = [
    'No such request',
    'Requests are kept for 14 days, and appear a few seconds after they ended.',
  ] as const;
  return (
    <Page title="Request" intro={<Id id={id} label="request id" full />}>
      <Card>
        <Loaded query={found} unknown={unknown}>
          {({ data: [logged] }) =>
            logged ? <RequestView logged={logged} /> : <Empty title={unknown[0]}>{unknown[1]}</Empty>
          }
        </Loaded>
      </Card>
    </Page>
  );
}

function RequestView({ logged }: { logged: LoggedRequest }) {
  const { method, route, code, message, param, job_id: job, bytes } = logged;
  const keyNames = useKeyNames();
  return (
    <Facts
      facts={[
        [
          'Request',
          <code key="request">
            {method} {route ?? 'unknown endpoint'}
          </code>,
        ],
        ['Status', <RequestStatus key="status" status={logged.status} />],
        ['Message', message ?? '–'],
        ['Parameter', param === null ? '–' : <code key="param">{param}</code>],
        ['Error code', code === null ? '–' : <ErrorCode key="code" code={code} />],
        [
          'Job',
          job === null ? (
            '–'
          ) : (
            <Link key="job" to={`/jobs/${job}`}>
              {job}
            </Link>
          ),
        ],
        ['Key', <KeyName key="key" id={logged.api_key_id} names={keyNames} />],
        ['Sent by', logged.from_console ? 'These pages' : 'A program'],
        ['Time', <Time key="time" at={logged.at} exact />],
        ['Took', formatDuration(logged.duration_ms)],
        ['Size of the body', bytes === null ? '–' : `${formatBytes(bytes)}. The body itself is not kept.`],
      ]}
    />
  );
}
