import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../api/client';
import { type AccountDetails, OPERATOR } from '../../api/operator';
import { Button } from '../../components/button';
import { Dialog, FormDialog } from '../../components/dialog';
import { Choice, Select, TextField, useForm } from '../../components/fields';
import { Row, Stack } from '../../components/page';
import { IssuedSecret } from '../../customer/keys/key-dialogs';
import { parseDollars } from '../../formatting/format';
import { act, ActionDialog, ReasonField } from '../actions/action-dialog';
import { usePriceGroups } from '../models/price-groups';

interface AccountDialogProps {
  account: AccountDetails;
  onClose: () => void;
}

type MoneyKind = 'top_up' | 'credit' | 'adjustment';

const pathOf = ({ account_id }: AccountDetails, action: string) => `${OPERATOR}/accounts/${account_id}/${action}`;

const MONEY_PATHS: Record<MoneyKind, string> = { top_up: 'top-ups', credit: 'credits', adjustment: 'adjustments' };

export function MoneyDialog({ account, onClose }: AccountDialogProps) {
  const [kind, setKind] = useState<MoneyKind>('top_up');
  const [amount, setAmount] = useState('');
  // A repeat of the request with the same reference changes nothing.
  const [reference] = useState(() => `console-${Date.now().toString(36)}`);
  const body = () => {
    const isTaken = amount.trim().startsWith('-');
    const micros = parseDollars(amount.trim().replace(/^-/, ''));
    if (micros === null || micros === 0 || (isTaken && kind !== 'adjustment')) {
      throw new ApiError('Write an amount such as 25 or 2.50.', 0, 'invalid_body', 'amount_micros');
    }
    return { amount_micros: isTaken ? -micros : micros, reference };
  };
  return (
    <ActionDialog
      title={`Move money of ${account.name}`}
      action="Apply"
      path={pathOf(account, MONEY_PATHS[kind])}
      body={body}
      params={['amount_micros']}
      done="The statement has the new entry."
      onClose={onClose}
    >
      <Choice<MoneyKind>
        legend="Kind"
        value={kind}
        options={[
          ['top_up', 'Payment'],
          ['credit', 'Credit'],
          ['adjustment', 'Adjustment'],
        ]}
        onChange={setKind}
      />
      <TextField
        label="Amount in dollars"
        name="amount_micros"
        inputMode="decimal"
        value={amount}
        placeholder={kind === 'adjustment' ? '-2.50 takes away' : '25.00'}
        onChange={setAmount}
      />
    </ActionDialog>
  );
}

const STATUSES = ['active', 'paused', 'suspended', 'closed'].map((status) => [status, status] as const);

export function StatusDialog({ account, onClose }: AccountDialogProps) {
  const [status, setStatus] = useState<string>(account.status);
  return (
    <ActionDialog
      title={`Status of ${account.name}`}
      action="Change"
      method="PATCH"
      path={pathOf(account, 'status')}
      body={() => ({ status })}
      params={['status']}
      done="The status is changed."
      onClose={onClose}
    >
      <p>Anything but active refuses new jobs. Jobs in flight run to their end.</p>
      <Select label="Status" name="status" value={status} options={STATUSES} onChange={setStatus} />
    </ActionDialog>
  );
}

export function LimitsDialog({ account, onClose }: AccountDialogProps) {
  const { form, field } = useForm({
    rate_limit_rpm: String(account.rate_limit_rpm),
    max_concurrent_jobs: String(account.max_concurrent_jobs),
    retention_days: String(account.retention_days),
  });
  return (
    <ActionDialog
      title={`Limits of ${account.name}`}
      action="Change"
      method="PATCH"
      path={pathOf(account, 'limits')}
      body={() => Object.fromEntries(Object.entries(form).map(([name, text]) => [name, Number(text)]))}
      params={Object.keys(form)}
      done="The limits are changed."
      onClose={onClose}
    >
      <TextField label="Requests a minute" inputMode="numeric" {...field('rate_limit_rpm')} />
      <TextField label="Jobs at once" inputMode="numeric" {...field('max_concurrent_jobs')} />
      <TextField label="Days that files are kept" inputMode="numeric" {...field('retention_days')} />
    </ActionDialog>
  );
}

export function PriceGroupDialog({ account, onClose }: AccountDialogProps) {
  const [group, setGroup] = useState(account.price_group ?? '');
  const groups = usePriceGroups();
  return (
    <ActionDialog
      title={`Prices of ${account.name}`}
      action="Change"
      method="PATCH"
      path={pathOf(account, 'price-group')}
      body={() => (group === '' ? {} : { price_group: group })}
      params={['price_group']}
      done="The price group is changed."
      onClose={onClose}
    >
      <Select label="Price group" name="price_group" value={group} options={groups} onChange={setGroup} />
    </ActionDialog>
  );
}

const SCOPES = [
  ['read', 'read only'],
  ['jobs', 'read, and run jobs'],
  ['account', 'everything, also keys and payments'],
] as const;

function useLink({ account_id }: AccountDetails, scope: string, reason: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => {
      const body = { scope, reason: reason.trim() };
      return act<{ url: string }>('POST', `${OPERATOR}/accounts/${account_id}/portal-links`, body);
    },
    onSuccess: () => client.invalidateQueries({ queryKey: [`${OPERATOR}/accounts/${account_id}/history`] }),
  });
}

/** A link to send to the customer. */
export function PortalLinkDialog({ account, onClose }: AccountDialogProps) {
  const [scope, setScope] = useState<string>('jobs');
  const [reason, setReason] = useState('');
  const link = useLink(account, scope, reason);
  if (link.data) {
    return <IssuedSecret title="Send this link" name="portal link" secret={link.data.url} onClose={onClose} />;
  }
  return (
    <FormDialog
      title={`Portal link of ${account.name}`}
      action="Make a link"
      mutation={link}
      params={['scope', 'reason']}
      onClose={onClose}
    >
      <p>Signs one browser in to the account, once, within 15 minutes.</p>
      <Select label="May" name="scope" value={scope} options={SCOPES} onChange={setScope} />
      <ReasonField value={reason} onChange={setReason} />
    </FormDialog>
  );
}

/** The account as the customer sees it, in a session that only reads. */
export function ViewAsDialog({ account, onClose }: AccountDialogProps) {
  const [reason, setReason] = useState('');
  const link = useLink(account, 'read', reason);
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
    <FormDialog title={title} action="Make a link" mutation={link} params={['reason']} onClose={onClose}>
      <p>A session that reads, and changes nothing. The account's history shows that you opened it.</p>
      <ReasonField value={reason} onChange={setReason} />
    </FormDialog>
  );
}
