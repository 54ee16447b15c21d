import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { post } from '../../api/client';
import { API, type Delivery, useAccount } from '../../api/customer';
import { usePages } from '../../api/pages';
import { Button } from '../../components/button';
import { FormDialog, openDialog } from '../../components/dialog';
import { TextField } from '../../components/fields';
import { anyOf, type Filter, ListCard, useFilterValues } from '../../components/list-card';
import { Card, Page } from '../../components/page';
import { notify } from '../../components/toasts';
import { Badge } from '../../components/values';
import { navigate } from '../../router/navigation';
import { RotateDialog } from '../keys/key-dialogs';
import { DELIVERY_COLUMNS } from './delivery-columns';
import { RecoverDialog } from './recover-dialog';

const RotateSecretDialog = ({ onClose }: { onClose: () => void }) => (
  <RotateDialog<{ webhook_secret: string }>
    title="Rotate the webhook secret"
    path="/account/webhook-secret/rotate"
    issued={{ title: 'Webhooks have a new secret', name: 'webhook secret' }}
    secretOf={({ webhook_secret }) => webhook_secret}
    onClose={onClose}
  >
    Until the old secret ends, each delivery has a signature of both, so receivers can change at any time.
  </RotateDialog>
);

function TestDialog({ onClose }: { onClose: () => void }) {
  const [url, setUrl] = useState('');
  const test = useMutation({
    mutationFn: () => post<Delivery>(`${API}/webhooks/test`, { url: url.trim() }),
    onSuccess: ({ id }) => {
      notify('A test event is on its way.');
      onClose();
      navigate(`/webhooks/${id}`);
    },
  });
  return (
    <FormDialog title="Send a test event" action="Send" mutation={test} onClose={onClose}>
      <TextField
        label="Address of the receiver"
        name="url"
        inputMode="url"
        value={url}
        placeholder="https://example.com/hooks/kinora"
        hint="Public https, port 443 or 8443. The event is signed as a real one, about a job that does not exist."
        onChange={setUrl}
      />
    </FormDialog>
  );
}

const FILTERS: readonly Filter[] = [
  { name: 'status', label: 'Status', options: anyOf(['pending', 'delivered', 'exhausted']) },
  { name: 'host', label: 'Host of the receiver', placeholder: 'hooks.example.com' },
];

export function WebhooksPage() {
  const account = useAccount();
  const filter = useFilterValues('status', 'host');
  const pages = usePages<Delivery>(`${API}/webhooks/deliveries`, filter, { refetchMs: 10_000 });
  return (
    <Page
      title="Webhooks"
      intro="The end of each job, sent to the address that its request named."
      actions={
        <>
          <Button onClick={() => openDialog(RecoverDialog, {})}>Recover failed</Button>
          <Button kind="primary" onClick={() => openDialog(TestDialog, {})}>
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
            <Button onClick={() => openDialog(RotateSecretDialog, {})}>Make a new secret</Button>
          </>
        }
      />
      <ListCard
        title="Deliveries"
        caption="Deliveries"
        columns={DELIVERY_COLUMNS}
        pages={pages}
        keyOf={({ id }) => id}
        filters={FILTERS}
        empty={['No delivery yet', 'Send a test, or give a webhook_url with a request.']}
      />
    </Page>
  );
}
