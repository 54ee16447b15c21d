import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type AccountDetails, OPERATOR } from '../../api/operator';
import { Button } from '../../components/button';
import { Dialog, FormDialog } from '../../components/dialog';
import { Select, TextField } from '../../components/fields';
import { Row, Stack } from '../../components/page';
import { IssuedSecret } from '../../customer/keys/issued-secret';
import { act } from '../actions/confirmation';

interface PortalLinkDialogProps {
  account: AccountDetails;
  onClose: () => void;
}

const SCOPES = [
  ['read', 'read only'],
  ['jobs', 'read, and run jobs'],
  ['account', 'everything, also keys and payments'],
] as const;

function useLink({ account_id }: AccountDetails) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: { scope: string; reason: string }) =>
      act<{ url: string }>('POST', `${OPERATOR}/accounts/${account_id}/portal-links`, body),
    onSuccess: () => client.invalidateQueries({ queryKey: [`${OPERATOR}/accounts/${account_id}/history`] }),
  });
}

/** A link to send to the customer. */
export function PortalLinkDialog({ account, onClose }: PortalLinkDialogProps) {
  const [scope, setScope] = useState<string>('jobs');
  const [reason, setReason] = useState('');
  const link = useLink(account);
  if (link.data) {
    return <IssuedSecret title="Send this link" name="portal link" secret={link.data.url} onClose={onClose} />;
  }
  return (
    <FormDialog
      title={`Portal link of ${account.name}`}
      action="Make a link"
      isBusy={link.isPending}
      error={link.error}
      params={['scope', 'reason']}
      onSubmit={() => link.mutate({ scope, reason: reason.trim() })}
      onClose={onClose}
    >
      <p>Signs one browser in to the account, once, within 15 minutes.</p>
      <Select label="May" name="scope" value={scope} options={SCOPES} onChange={setScope} />
      <ReasonField reason={reason} onChange={setReason} />
    </FormDialog>
  );
}

/** The account as the customer sees it, in a session that only reads. */
export function ViewAsDialog({ account, onClose }: PortalLinkDialogProps) {
  const [reason, setReason] = useState('');
  const link = useLink(account);
  const title = `View as ${account.name}`;
  if (link.data) {
    return (
      <Dialog title={title} onClose={onClose}>
        <Stack>
          <p>
            <a href={link.data.url} target="_blank" rel="noreferrer">
              Open the pages of the customer
            </a>{' '}
            in a new tab. A customer session of this browser ends by that.
          </p>
          <Row>
            <Button onClick={onClose}>Close</Button>
          </Row>
        </Stack>
      </Dialog>
    );
  }
  return (
    <FormDialog
      title={title}
      action="Make a link"
      isBusy={link.isPending}
      error={link.error}
      params={['reason']}
      onSubmit={() => link.mutate({ scope: 'read', reason: reason.trim() })}
      onClose={onClose}
    >
      <p>A session that reads, and changes nothing. The account's history shows that you opened it.</p>
      <ReasonField reason={reason} onChange={setReason} />
    </FormDialog>
  );
}

function ReasonField({ reason, onChange }: { reason: string; onChange: (reason: string) => void }) {
  return (
    <TextField
      label="Reason"
      name="reason"
      value={reason}
      hint="Stands in the audit trail beside your name."
      onChange={onChange}
    />
  );
}
