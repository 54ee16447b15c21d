import type { LoggedRequest } from '../../api/console-lists';
import { API, type ApiKey, useAccount, useCan } from '../../api/customer';
import { usePages } from '../../api/pages';
import { Select, TextField } from '../../components/fields';
import { Filters } from '../../components/filters';
import { Card, Page } from '../../components/page';
import { Empty } from '../../components/states';
import { type Column, PagedTable } from '../../components/table';
import { Badge, Breakable, Id, Nothing, Time } from '../../components/values';
import { formatCount } from '../../formatting/format';
import { useSearch } from '../../router/navigation';

const REQUEST_ID = /^req_[0-9A-Za-z]{1,64}$/;

const toneOf = (status: number) => (status < 400 ? 'good' : status < 500 ? 'warn' : 'bad');

const columnsOf = (keyNames: ReadonlyMap<string, string>): readonly Column<LoggedRequest>[] => [
  { name: 'Time', cell: ({ at }) => <Time at={at} /> },
  {
    name: 'Request',
    cell: ({ method, route, from_console }) => (
      <>
        <code>
          {method} {route ?? 'unknown endpoint'}
        </code>{' '}
        {from_console && <Badge>console</Badge>}
      </>
    ),
  },
  {
    name: 'Status',
    cell: ({ status }) =>
      status === null ? <Badge>disconnected</Badge> : <Badge tone={toneOf(status)}>{String(status)}</Badge>,
  },
  { name: 'Code', cell: ({ code }) => (code === null ? <Nothing /> : <Breakable text={code} />), isExtra: true },
  {
    name: 'Milliseconds',
    cell: ({ duration_ms }) => formatCount(Math.round(duration_ms)),
    isNumber: true,
    isExtra: true,
  },
  {
    name: 'Key',
    cell: ({ api_key_id: id }) => keyNames.get(id) ?? <Id id={id} label="key id" />,
    isExtra: true,
  },
  { name: 'Id', cell: ({ id }) => <Id id={id} label="request id" />, isExtra: true },
];

export function RequestsPage() {
  const [search, setSearch] = useSearch();
  const [status, id] = [search.get('status') ?? '', search.get('request_id') ?? ''];
  const key = search.get('api_key_id') ?? '';
  const source = search.get('source') ?? 'programs';
  const keyNames = useKeyNames();
  const pages = usePages<LoggedRequest>(
    `${API}/requests`,
    { status, api_key_id: key, source, request_id: REQUEST_ID.test(id) ? id : null },
    { refetchMs: 10_000 },
  );
  return (
    <Page title="Requests" intro="What your programs sent to the API in the last 14 days, newest first.">
      <Card isFlush>
        <Filters>
          <Select
            label="Status"
            value={status}
            options={[
              ['', 'Any'],
              ['2xx', '2xx'],
              ['4xx', '4xx'],
              ['5xx', '5xx'],
            ]}
            onChange={(value) => setSearch({ status: value })}
          />
          <Select
            label="Key"
            value={key}
            options={[['', 'Any'], ...keyNames]}
            onChange={(value) => setSearch({ api_key_id: value })}
          />
          <Select
            label="Sent by"
            value={source}
            options={[
              ['programs', 'Programs'],
              ['console', 'These pages'],
            ]}
            onChange={(value) => setSearch({ source: value })}
          />
          <TextField
            label="Find by id"
            value={id}
            placeholder="req_…"
            onChange={(value) => setSearch({ request_id: value.trim() })}
          />
        </Filters>
        <PagedTable
          caption="Requests"
          columns={columnsOf(keyNames)}
          pages={pages}
          keyOf={(logged) => logged.id}
          empty={
            <Empty title="No request matches">Requests of programs appear a few seconds after they have ended.</Empty>
          }
        />
      </Card>
    </Page>
  );
}

/** The names of the account's latest keys by their ids; a lesser key than one of the scope account knows itself only. */
function useKeyNames(): ReadonlyMap<string, string> {
  const own = useAccount().data?.api_key.id;
  const keys = usePages<ApiKey>(`${API}/account/keys`, {}, { limit: 100, enabled: useCan('account') });
  return new Map([
    ...(own === undefined ? [] : [[own, 'this session'] as const]),
    ...keys.items.map(({ id, name }) => [id, id === own ? `${name} (this session)` : name] as const),
  ]);
}
