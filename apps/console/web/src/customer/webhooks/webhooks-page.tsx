import { useState } from 'react';
import { API, type Delivery, useAccount } from '../../api/customer';
import { usePages } from '../../api/pages';
import { Button } from '../../components/button';
import { Select, TextField } from '../../components/fields';
import { Filters } from '../../components/filters';
import { Card, Page } from '../../components/page';
import { Empty } from '../../components/states';
import { PagedTable } from '../../components/table';
import { Badge } from '../../components/values';
import { useSearch } from '../../router/location';
import { DELIVERY_COLUMNS } from './delivery-columns';
import { RecoverDialog } from './recover-dialog';
import { RotateSecretDialog } from './rotate-secret-dialog';
import { TestDialog } from './test-dialog';

const STATUSES = ['pending', 'delivered', 'exhausted'] as const;

export function WebhooksPage() {
  const [search, setSearch] = useSearch();
  const [opened, setOpened] = useState<'test' | 'recover' | 'rotate' | null>(null);
  const account = useAccount();
  const [status, host] = [search.get('status') ?? '', search.get('host') ?? ''];
  const pages = usePages<Delivery>(`${API}/webhooks/deliveries`, { status, host }, { refetchMs: 10_000 });
  const close = () => {
    setOpened(null);
    pages.refetch();
  };
  return (
    <Page
      title="Webhooks"
      intro="The end of each job, sent to the address that its request named."
      actions={
        <>
          <Button onClick={() => setOpened('recover')}>Recover failed</Button>
          <Button kind="primary" onClick={() => setOpened('test')}>
            Send a test
          </Button>
        </>
      }
    >
      <Card
        title="Signing secret"
        intro="Receivers check the header X-Service-Signature with it. A new secret can overlap with the old one."
        actions={
          <>
            <Badge tone={account.data?.webhook_signing_configured ? 'good' : 'warn'}>
              {account.data?.webhook_signing_configured ? 'signed' : 'not signed'}
            </Badge>
            <Button onClick={() => setOpened('rotate')}>Make a new secret</Button>
          </>
        }
      />
      <Card title="Deliveries" isFlush>
        <Filters>
          <Select
            label="Status"
            value={status}
            options={[['', 'Any'], ...STATUSES.map((one) => [one, one] as const)]}
            onChange={(value) => setSearch({ status: value })}
          />
          <TextField
            label="Host of the receiver"
            value={host}
            placeholder="hooks.example.com"
            onChange={(value) => setSearch({ host: value.trim() })}
          />
        </Filters>
        <PagedTable
          caption="Deliveries"
          columns={DELIVERY_COLUMNS}
          pages={pages}
          keyOf={({ id }) => id}
          empty={<Empty title="No delivery matches">Send a test, or give a webhook_url with a request.</Empty>}
        />
      </Card>
      {opened === 'test' && <TestDialog onClose={close} />}
      {opened === 'recover' && <RecoverDialog onClose={close} />}
      {opened === 'rotate' && <RotateSecretDialog onClose={close} />}
    </Page>
  );
}
