import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type AccountDetails, type CreatedKey, OPERATOR } from '../../api/operator';
import { AmountField, microsOf } from '../../components/amount-field';
import { Button } from '../../components/button';
import { Dialog, FormDialog } from '../../components/dialog';
import { Choice, Select, TextField, useForm } from '../../components/fields';
import { Row, Stack } from '../../components/page';
import { IssuedSecret } from '../../customer/keys/key-dialogs';
import { formatMoney } from '../../formatting/format';
import { act, ActionDialog, ReasonField } from '../actions/action-dialog';
import { usePriceGroups } from '../models/use-price-groups';
import { LimitFields, limitsOf, numbersOf, REPEATED, RepeatedAmount, ScopeField } from './account-fields';

interface AccountDialogProps {
  account: AccountDetails;
  onClose: () => void;
}

const pathOf = ({ account_id }: AccountDetails, action: string) => `${OPERATOR}/accounts/${account_id}/${action}`;

const MONEY = {
  top_up: ['Payment', 'top-ups', 'Money that the customer has paid elsewhere, such as by bank transfer.'],
  credit: ['Credit', 'credits', 'A gift: it can be spent, and counts as no payment.'],
  adjustment: ['Adjustment', 'adjustments', 'Corrects a mistake. A minus takes money away.'],
} as const;
type MoneyKind = keyof typeof MONEY;

/** An amount that an adjustment may take away. */
function movedMicros(text: string, kind: MoneyKind, param?: string): number {
  const isTaken = kind === 'adjustment' && text.trim().startsWith('-');
  return isTaken ? -microsOf(text.trim().slice(1), param) : microsOf(text, param);
}

export function MoneyDialog({ account, onClose }: AccountDialogProps) {
  const [kind, setKind] = useState<MoneyKind>('top_up');
  const { form, field } = useForm({ amount: '', repeated: '' });
  // A repeat of the request with the same reference changes nothing.
  const [reference] = useState(() => `console-${Date.now().toString(36)}`);
  const [, path, hint] = MONEY[kind];
  return (
    <ActionDialog
      title={`Move money of ${account.name}`}
      action="Apply"
      path={pathOf(account, path)}
      body={() => ({
        ...{ amount_micros: movedMicros(form.amount, kind), reference },
        ...(form.repeated !== '' && { [REPEATED]: movedMicros(form.repeated, kind, REPEATED) }),
      })}
      params={['amount_micros', REPEATED]}
      done="The statement has the new entry."
      onClose={onClose}
    >
      <Choice<MoneyKind>
        legend="Kind"
        value={kind}
        options={(Object.keys(MONEY) as MoneyKind[]).map((one) => [one, MONEY[one][0]] as const)}
        onChange={setKind}
      />
      <p>{hint}</p>
      <AmountField
        placeholder={kind === 'adjustment' ? '-2.50 takes away' : '25.00'}
        {...field('amount', 'amount_micros')}
      />
      <RepeatedAmount {...field('repeated', REPEATED)} />
      <BalanceAfter account={account} kind={kind} amount={form.amount} />
    </ActionDialog>
  );
}

/** What the account can spend afterwards. A payment pays what is owed first. */
function BalanceAfter({ account, kind, amount }: { account: AccountDetails; kind: MoneyKind; amount: string }) {
  const { balance_micros: now, owed_micros: owed = 0 } = account;
  let moved = 0;
  try {
    moved = movedMicros(amount, kind);
  } catch {
    // Nothing is typed yet, or no amount.
  }
  const repaid = kind === 'top_up' ? Math.min(owed, moved) : 0;
  return (
    <p aria-live="polite">
      Balance: {formatMoney(now)}
      {moved !== 0 && `, then ${formatMoney(now + moved - repaid)}`}
      {repaid > 0 && `. ${formatMoney(repaid)} pay what is owed`}.
    </p>
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
  const { form, field } = useForm(limitsOf(account));
  return (
    <ActionDialog
      title={`Limits of ${account.name}`}
      action="Change"
      method="PATCH"
      path={pathOf(account, 'limits')}
      body={() => numbersOf(form)}
      params={Object.keys(form)}
      done="The limits are changed."
      onClose={onClose}
    >
      <LimitFields field={field} />
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

function useIssued<Answer>({ account_id }: AccountDetails, action: string, body: { reason: string; scope: string }) {
  const client = useQueryClient();
  const path = `${OPERATOR}/accounts/${account_id}`;
  return useMutation({
    mutationFn: () => act<Answer>('POST', `${path}/${action}`, { ...body, reason: body.reason.trim() }),
    onSuccess: () =>
      Promise.all(['history', 'keys'].map((list) => client.invalidateQueries({ queryKey: [`${path}/${list}`] }))),
  });
}

/** A link to send to the customer. */
export function PortalLinkDialog({ account, onClose }: AccountDialogProps) {
  const { form, field } = useForm({ scope: 'jobs', reason: '' });
  const link = useIssued<{ url: string }>(account, 'portal-links', form);
  if (link.data) {
    return <IssuedSecret title="Send this link" name="portal link" secret={link.data.url} onClose={onClose} />;
  }
  return (
    <FormDialog
      title={`Portal link of ${account.name}`}
      action="Make a link"
      mutation={link}
      params={Object.keys(form)}
      onClose={onClose}
    >
      <p>Signs one browser in to the account, once, within 15 minutes.</p>
      <ScopeField {...field('scope')} />
      <ReasonField {...field('reason')} />
    </FormDialog>
  );
}

/** Another key, such as in place of one that was lost. */
export function NewKeyDialog({ account, onClose }: AccountDialogProps) {
  const { form, field } = useForm({ name: '', scope: 'jobs', reason: '' });
  const key = useIssued<CreatedKey>(account, 'keys', form);
  if (key.data) {
    return <IssuedSecret title="The key is created" name="API key" secret={key.data.api_key} onClose={onClose} />;
  }
  return (
    <FormDialog
      title={`New key of ${account.name}`}
      action="Create"
      mutation={key}
      params={Object.keys(form)}
      onClose={onClose}
    >
      <TextField label="Name" placeholder="web shop" {...field('name')} />
      <ScopeField {...field('scope')} />
      <ReasonField {...field('reason')} />
    </FormDialog>
  );
}

/** The account as the customer sees it, in a session that only reads. */
export function ViewAsDialog({ account, onClose }: AccountDialogProps) {
  const [reason, setReason] = useState('');
  const link = useIssued<{ url: string }>(account, 'portal-links', { scope: 'read', reason });
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
