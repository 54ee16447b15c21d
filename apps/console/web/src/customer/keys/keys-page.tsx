import { useState } from 'react';
import { API, type ApiKey, useAccount } from '../../api/customer';
import { usePages } from '../../api/pages';
import { Button } from '../../components/button';
import { Card, Page } from '../../components/page';
import { Empty } from '../../components/states';
import { type Column, PagedTable } from '../../components/table';
import { Badge, Time, TwoLines } from '../../components/values';
import { Budget } from './budget';
import { CreateKeyDialog } from './create-key-dialog';
import styles from './keys.module.css';
import { RevokeKeyDialog, RotateKeyDialog } from './key-dialogs';
import { useKeySpend } from '../usage/use-key-spend';
import { SessionsCard } from './sessions-card';

/** Of the sentence in `Budget`. */
const SPEND_DAYS = 30;

type Opened = { kind: 'create' } | { kind: 'rotate' | 'revoke'; apiKey: ApiKey };

export function KeysPage() {
  const [opened, setOpened] = useState<Opened | null>(null);
  const account = useAccount();
  const pages = usePages<ApiKey>(`${API}/account/keys`);
  const spend = useKeySpend(SPEND_DAYS);
  const spentBy = new Map(spend.data?.data.map((one) => [one.api_key_id, one.charged_micros]));
  // The spend of a key that is missing in a list of a hundred keys is unknown.
  const isWhole = spend.data?.has_more === false;
  const spentLately = (id: string) => spentBy.get(id) ?? (isWhole ? 0 : undefined);
  const close = () => {
    setOpened(null);
    pages.refetch();
  };
  const create = (
    <Button kind="primary" icon="plus" onClick={() => setOpened({ kind: 'create' })}>
      Create a key
    </Button>
  );
  return (
    <Page
      title="Keys"
      intro="A secret is shown once, when its key is created. Give each program its own key, with the least that it needs."
      actions={create}
    >
      <Card isFlush>
        <PagedTable
          caption="Keys"
          columns={columnsOf(account.data?.api_key.id ?? null, spentLately, setOpened)}
          pages={pages}
          keyOf={({ id }) => id}
          empty={<Empty title="This account has no keys">Create one, and put it into your program.</Empty>}
        />
      </Card>
      <SessionsCard />
      {opened?.kind === 'create' && <CreateKeyDialog onClose={close} />}
      {opened?.kind === 'rotate' && <RotateKeyDialog apiKey={opened.apiKey} onClose={close} />}
      {opened?.kind === 'revoke' && <RevokeKeyDialog apiKey={opened.apiKey} onClose={close} />}
    </Page>
  );
}

const SCOPES: Record<ApiKey['scope'], string> = {
  read: 'Reads',
  jobs: 'Reads, creates',
  account: 'Everything',
};

function columnsOf(
  ownId: string | null,
  spentLately: (id: string) => number | undefined,
  open: (opened: Opened) => void,
): readonly Column<ApiKey>[] {
  return [
    { name: 'Key', cell: (apiKey) => <KeyName apiKey={apiKey} isOwn={apiKey.id === ownId} /> },
    { name: 'May do', cell: ({ scope }) => SCOPES[scope], isExtra: true },
    { name: 'Models', cell: ({ models }) => (models === null ? 'Any' : models.join(', ')), isExtra: true },
    {
      name: 'Spent',
      cell: (apiKey) => <Budget apiKey={apiKey} lately={spentLately(apiKey.id)} />,
    },
    { name: 'Last used', cell: ({ last_used_at }) => <Time at={last_used_at} />, isExtra: true },
    { name: 'Expires', cell: ({ expires_at }) => <Time at={expires_at} />, isExtra: true },
    {
      name: 'Actions',
      isNameless: true,
      cell: (apiKey) => (
        <span className={styles['buttons']}>
          <Button kind="quiet" aria-label={`Rotate ${apiKey.name}`} onClick={() => open({ kind: 'rotate', apiKey })}>
            Rotate
          </Button>
          <Button kind="quiet" aria-label={`Revoke ${apiKey.name}`} onClick={() => open({ kind: 'revoke', apiKey })}>
            Revoke
          </Button>
        </span>
      ),
    },
  ];
}

function KeyName({ apiKey, isOwn }: { apiKey: ApiKey; isOwn: boolean }) {
  return (
    <TwoLines small={<code>{apiKey.prefix}…</code>}>
      {apiKey.name} {isOwn && <Badge tone="accent">this session</Badge>}
    </TwoLines>
  );
}
