import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { get, request } from '../../api/client';
import type { OwnSession } from '../../api/console-lists';
import { Button } from '../../components/button';
import { Card } from '../../components/page';
import { Loaded } from '../../components/states';
import { type Column, Table } from '../../components/table';
import { notify, notifyError } from '../../components/toasts';
import { Badge, Time, TwoLines } from '../../components/values';

const PATH = '/admin/v1/sessions';

/** Where the account is signed in to the console. A session that is ended is refused at once, with every copy of its cookie. */
export function SessionsCard() {
  const client = useQueryClient();
  const sessions = useQuery({
    queryKey: ['sessions'],
    queryFn: ({ signal }) => get<{ data: OwnSession[] }>(PATH, signal),
  });
  const end = useMutation({
    mutationFn: (id: string) => request('DELETE', `${PATH}/${id}`),
    onSuccess: () => notify('The session has ended.'),
    onError: notifyError,
    onSettled: () => client.invalidateQueries({ queryKey: ['sessions'] }),
  });
  return (
    <Card title="Signed in" intro="Browsers with a session of this account. Each session ends after 12 hours." isFlush>
      <Loaded query={sessions}>
        {({ data }) => <Table caption="Sessions" columns={columnsOf(end.mutate)} items={data} keyOf={({ id }) => id} />}
      </Loaded>
    </Card>
  );
}

const columnsOf = (end: (id: string) => void): readonly Column<OwnSession>[] => [
  {
    name: 'Browser',
    cell: ({ user_agent, address }) => <TwoLines small={address}>{nameOf(user_agent)}</TwoLines>,
  },
  {
    name: 'Signed in with',
    cell: ({ key_prefix, is_portal }) => (is_portal ? 'a link' : <code>{key_prefix}…</code>),
    isExtra: true,
  },
  { name: 'Began', cell: ({ created_at }) => <Time at={created_at} />, isExtra: true },
  { name: 'Ends', cell: ({ expires_at }) => <Time at={expires_at} />, isExtra: true },
  {
    name: 'Actions',
    isNameless: true,
    isNumber: true,
    cell: ({ id, is_current, created_at }) =>
      is_current ? (
        <Badge tone="accent">this browser</Badge>
      ) : (
        <Button kind="quiet" aria-label={`End the session of ${created_at}`} onClick={() => end(id)}>
          End
        </Button>
      ),
  },
];

/** The name of a browser within its User-Agent; Edge and Chrome name others after themselves. */
const nameOf = (userAgent: string) =>
  ['Firefox', 'Edg', 'Chrome', 'Safari'].find((name) => userAgent.includes(`${name}/`))?.replace('Edg', 'Edge') ??
  'Another program';
