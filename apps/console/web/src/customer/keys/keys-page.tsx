import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useContext } from 'react';
import { request } from '../../api/client';
import { API, type ApiKey, useAccount, type OwnSession, SessionContext } from '../../api/customer';
import { useGet, usePages } from '../../api/pages';
import { Button } from '../../components/button';
import { openDialog } from '../../components/dialog';
import { ListCard } from '../../components/list-card';
import { Card, Page } from '../../components/page';
import { Loaded } from '../../components/states';
import { actions, type Column, Table } from '../../components/table';
import { notify, notifyError } from '../../components/toasts';
import { Badge, Money, Nothing, Time, TwoLines } from '../../components/values';
import { Link } from '../../router/navigation';
import { useKeySpend } from '../usage/key-spend';
import { CreateKeyDialog, RevokeKeyDialog, RotateKeyDialog } from './key-dialogs';
import styles from './keys.module.css';

interface BudgetProps {
  apiKey: ApiKey;
  /** What the key has spent in the last 30 days; undefined while that is not known. */
  lately: number | undefined;
}

/** What is spent of a key's budget, and what a key without one has spent lately. */
export function Budget({ apiKey, lately }: BudgetProps) {
  const { budget_micros: budget, spent_micros: spent, budget_period: period } = apiKey;
  if (budget === null || spent === null) {
    if (lately === undefined) return <Nothing />;
    return (
      <span>
        <Money micros={lately} /> in 30 days
      </span>
    );
  }
  return (
    <span className={styles['budget']}>
      <span>
        <Money micros={spent} /> of <Money micros={budget} /> a {period}
      </span>
      <meter min={0} max={budget} high={budget * 0.8} value={spent} aria-label="Spent of the budget" />
    </span>
  );
}

const PATH = '/admin/v1/sessions';

/** Where the account is signed in to the console. A session that is ended is refused at once, with every copy of its cookie. */
function SessionsCard() {
  const client = useQueryClient();
  const sessions = useGet<{ data: OwnSession[] }>(['sessions'], PATH);
  const end = useMutation({
    mutationFn: (id: string) => request('DELETE', `${PATH}/${id}`),
    onSuccess: () => notify('The session has ended.'),
    onError: notifyError,
    onSettled: () => client.invalidateQueries({ queryKey: ['sessions'] }),
  });
  return (
    <Card title="Signed in" intro="Browsers with a session of this account. Each session ends after 12 hours." isFlush>
      <Loaded query={sessions}>
        {({ data }) => (
          <Table caption="Sessions" columns={sessionColumnsOf(end.mutate)} items={data} keyOf={({ id }) => id} />
        )}
      </Loaded>
    </Card>
  );
}

const sessionColumnsOf = (end: (id: string) => void): readonly Column<OwnSession>[] => [
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
  actions(({ id, is_current, created_at }) =>
    is_current ? (
      <Badge tone="accent">this browser</Badge>
    ) : (
      <Button kind="quiet" aria-label={`End the session of ${created_at}`} onClick={() => end(id)}>
        End
      </Button>
    ),
  ),
];

/** The name of a browser within its User-Agent; Edge and Chrome name others after themselves. */
const nameOf = (userAgent: string) =>
  ['Firefox', 'Edg', 'Chrome', 'Safari'].find((name) => userAgent.includes(`${name}/`))?.replace('Edg', 'Edge') ??
  'Another program';

/** Of the sentence in `Budget`. */
const SPEND_DAYS = 30;

export function KeysPage() {
  const account = useAccount();
  const people = useContext(SessionContext)?.sign_up ?? 'off';
  const pages = usePages<ApiKey>(`${API}/account/keys`);
  const spend = useKeySpend(SPEND_DAYS);
  const spentBy = new Map(spend.data?.data.map((one) => [one.api_key_id, one.charged_micros]));
  // The spend of a key that is missing in a list of a hundred keys is unknown.
  const isWhole = spend.data?.has_more === false;
  const spentLately = (id: string) => spentBy.get(id) ?? (isWhole ? 0 : undefined);
  return (
    <Page
      title="Keys"
      intro={
        <>
          A secret is shown once, when its key is created. Give each program its own key, with the least that it needs.{' '}
          {people !== 'off' && <Link to="/members">People sign in by their e-mail address.</Link>}
        </>
      }
      actions={
        <Button kind="primary" icon="plus" onClick={() => openDialog(CreateKeyDialog, {})}>
          Create a key
        </Button>
      }
    >
      <ListCard
        caption="Keys"
        columns={columnsOf(account.data?.api_key.id ?? null, spentLately)}
        pages={pages}
        keyOf={({ id }) => id}
        empty={['This account has no keys', 'Create one, and put it into your program.']}
      />
      <SessionsCard />
    </Page>
  );
}

const SCOPES: Record<ApiKey['scope'], string> = {
  read: 'Reads',
  jobs: 'Reads, creates',
  account: 'Everything',
};

function columnsOf(ownId: string | null, spentLately: (id: string) => number | undefined): readonly Column<ApiKey>[] {
  return [
    { name: 'Key', cell: (apiKey) => <KeyName apiKey={apiKey} isOwn={apiKey.id === ownId} /> },
    { name: 'Scope', cell: ({ scope }) => SCOPES[scope], isExtra: true },
    { name: 'Models', cell: ({ models }) => (models === null ? 'Any' : models.join(', ')), isExtra: true },
    {
      name: 'Spent',
      cell: (apiKey) => <Budget apiKey={apiKey} lately={spentLately(apiKey.id)} />,
    },
    { name: 'Last used', cell: ({ last_used_at }) => <Time at={last_used_at} />, isExtra: true },
    { name: 'Expires', cell: ({ expires_at }) => <Time at={expires_at} />, isExtra: true },
    actions((apiKey) => (
      <span className={styles['buttons']}>
        <Button
          kind="quiet"
          aria-label={`Rotate ${apiKey.name}`}
          onClick={() => openDialog(RotateKeyDialog, { apiKey })}
        >
          Rotate
        </Button>
        <Button
          kind="quiet"
          aria-label={`Revoke ${apiKey.name}`}
          onClick={() => openDialog(RevokeKeyDialog, { apiKey })}
        >
          Revoke
        </Button>
      </span>
    )),
  ];
}

function KeyName({ apiKey, isOwn }: { apiKey: ApiKey; isOwn: boolean }) {
  return (
    <TwoLines small={<code>{apiKey.prefix}…</code>}>
      {apiKey.name} {isOwn && <Badge tone="accent">this session</Badge>}
    </TwoLines>
  );
}
