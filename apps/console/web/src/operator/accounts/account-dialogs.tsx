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

/** The status or the price group of an account. */
export function ChoiceDialog({ kind, account, onClose }: AccountDialogProps & { kind: 'status' | 'price_group' }) {
  const [value, setValue] = useState<string>(account[kind] ?? '');
  const groups = usePriceGroups();
  const isStatus = kind === 'status';
  return (
    <ActionDialog
      title={`${isStatus ? 'Status' : 'Prices'} of ${account.name}`}
      action="Change"
      method="PATCH"
      path={pathOf(account, isStatus ? 'status' : 'price-group')}
      body={() => (value === '' ? {} : { [kind]: value })}
      done={`The ${isStatus ? 'status' : 'price group'} is changed.`}
      onClose={onClose}
    >
      {isStatus && <p>Anything but active refuses new jobs. Jobs in flight run to their end.</p>}
      <Select
        label={isStatus ? 'Status' : 'Price group'}
        name={kind}
        value={value}
        options={isStatus ? STATUSES : groups}
        onChange={setValue}
      />
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
      done="The limits are changed."
      onClose={onClose}
    >
      <LimitFields field={field} />
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

const ISSUED = {
  key: { of: 'New key', action: 'Create', path: 'keys', done: 'The key is created', name: 'API key' },
  link: { of: 'Portal link', action: 'Make a link', path: 'portal-links', done: 'Send this link', name: 'portal link' },
} as const;

/** Another key, such as in place of one that was lost, or a link to send to the customer. */
export function IssueDialog({ kind, account, onClose }: AccountDialogProps & { kind: keyof typeof ISSUED }) {
  const { of, action, path, done, name } = ISSUED[kind];
  const { form, field } = useForm({ name: '', scope: 'jobs', reason: '' });
  const issue = useIssued<Partial<CreatedKey & { url: string }>>(account, path, form);
  const { api_key, url } = issue.data ?? {};
  const secret = api_key ?? url;
  if (secret !== undefined) return <IssuedSecret title={done} name={name} secret={secret} onClose={onClose} />;
  return (
    <FormDialog title={`${of} of ${account.name}`} action={action} mutation={issue} onClose={onClose}>
      {kind === 'link' && <p>Signs one browser in to the account, once, within 15 minutes.</p>}
      {kind === 'key' && <TextField label="Name" placeholder="web shop" {...field('name')} />}
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
    <FormDialog title={title} action="Make a link" mutation={link} onClose={onClose}>
      <p>A session that reads, and changes nothing. The account's history shows that you opened it.</p>
      <ReasonField value={reason} onChange={setReason} />
    </FormDialog>
  );
}
