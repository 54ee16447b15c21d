import { API, type ApiKey, useAccount, useMay, type LoggedRequest } from '../../api/customer';
import { usePages } from '../../api/pages';
import { anyOf, type Filter, ListCard, useFilterValues } from '../../components/list-card';
import { Page } from '../../components/page';
import { ErrorCode } from '../../components/states';
import { type Column } from '../../components/table';
import { Badge, Id, Nothing, Time } from '../../components/values';
import { formatCount } from '../../formatting/format';
import { Link } from '../../router/navigation';

const REQUEST_ID = /^req_[0-9A-Za-z]{1,64}$/;

const toneOf = (status: number) => (status < 400 ? 'good' : status < 500 ? 'warn' : 'bad');

export const RequestStatus = ({ status }: { status: number | null }) =>
  status === null ? <Badge>disconnected</Badge> : <Badge tone={toneOf(status)}>{String(status)}</Badge>;

export const KeyName = ({ id, names }: { id: string; names: ReadonlyMap<string, string> }) =>
  names.get(id) ?? <Id id={id} label="key id" />;

const columnsOf = (keyNames: ReadonlyMap<string, string>): readonly Column<LoggedRequest>[] => [
  { name: 'Time', cell: ({ at }) => <Time at={at} /> },
  {
    name: 'Request',
    cell: ({ id, method, route, from_console }) => (
      <>
        <Link to={`/requests/${id}`}>
          <code>
            {method} {route ?? 'unknown endpoint'}
          </code>
        </Link>{' '}
        {from_console && <Badge>console</Badge>}
      </>
    ),
  },
  { name: 'Status', cell: ({ status }) => <RequestStatus status={status} /> },
  { name: 'Code', cell: ({ code }) => (code === null ? <Nothing /> : <ErrorCode code={code} />), isExtra: true },
  {
    name: 'Milliseconds',
    cell: ({ duration_ms }) => formatCount(Math.round(duration_ms)),
    isNumber: true,
    isExtra: true,
  },
  {
    name: 'Key',
    cell: ({ api_key_id: id }) => <KeyName id={id} names={keyNames} />,
    isExtra: true,
  },
  { name: 'Id', cell: ({ id }) => <Id id={id} label="request id" />, isExtra: true },
];

const filtersOf = (keyNames: ReadonlyMap<string, string>): readonly Filter[] => [
  { name: 'status', label: 'Status', options: anyOf(['2xx', '4xx', '5xx']) },
  { name: 'api_key_id', label: 'Key', options: [['', 'Any'], ...keyNames] },
  {
    name: 'source',
    label: 'Sent by',
    options: [
      ['programs', 'Programs'],
      ['console', 'These pages'],
    ],
  },
  { name: 'request_id', label: 'Find by id', placeholder: 'req_…' },
];

export function RequestsPage() {
  const { request_id: id, ...values } = useFilterValues('status', 'api_key_id', 'source', 'request_id');
  const keyNames = useKeyNames();
  const pages = usePages<LoggedRequest>(
    `${API}/requests`,
    { ...values, source: values.source || 'programs', request_id: REQUEST_ID.test(id) ? id : null },
    { refetchMs: 10_000 },
  );
  return (
    <Page title="Requests" intro="What your programs sent to the API in the last 14 days, newest first.">
      <ListCard
        caption="Requests"
        columns={columnsOf(keyNames)}
        pages={pages}
        keyOf={(logged) => logged.id}
        filters={filtersOf(keyNames)}
        empty={['No request yet', 'Requests of programs appear a few seconds after they have ended.']}
      />
    </Page>
  );
}

/** The names of the account's latest keys by their ids; a lesser key than one of the scope account knows itself only. */
export function useKeyNames(): ReadonlyMap<string, string> {
  const own = useAccount().data?.api_key.id;
  const keys = usePages<ApiKey>(`${API}/account/keys`, {}, { limit: 100, enabled: useMay('keys') });
  return new Map([
    ...(own === undefined ? [] : [[own, 'this session'] as const]),
    ...keys.items.map(({ id, name }) => [id, id === own ? `${name} (this session)` : name] as const),
  ]);
}
