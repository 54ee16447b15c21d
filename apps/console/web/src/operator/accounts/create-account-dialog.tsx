import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../api/client';
import { type OpenedAccount, OPERATOR } from '../../api/operator';
import { AmountField, microsOf, optionalMicrosOf } from '../../components/amount-field';
import { ButtonLink } from '../../components/button';
import { Dialog, FormDialog } from '../../components/dialog';
import { TextField, useForm } from '../../components/fields';
import { Row, Stack } from '../../components/page';
import { IssuedSecret, Secret } from '../../customer/keys/key-dialogs';
import { navigate } from '../../router/navigation';
import { act, ReasonField } from '../actions/action-dialog';
import { LimitFields, limitsOf, numbersOf, REPEATED, RepeatedAmount, ScopeField } from './account-fields';

const START = {
  ...{ name: '', key_scope: 'account', credit: '', repeated: '', reason: '' },
  ...limitsOf({ rate_limit_rpm: 60, max_concurrent_jobs: 5, retention_days: 7 }),
};

/** A UUID of version 7: accounts are listed by the time in their ids. */
function timeOrderedId(): string {
  const time = Date.now().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${crypto.randomUUID().slice(15)}`;
}

/** The dialog chooses the id, so a repeat after a lost answer makes no second account and no second credit. */
export function CreateAccountDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const [account_id] = useState(timeOrderedId);
  const { form, field } = useForm(START);
  const path = `/operator/accounts/${account_id}`;
  const create = useMutation({
    mutationFn: async () => {
      const { name, key_scope, credit, repeated, reason } = form;
      return act<OpenedAccount>('POST', `${OPERATOR}/accounts`, {
        ...{ account_id, name: name.trim(), key_scope, ...numbersOf(form), reason: reason.trim() },
        credit_micros: optionalMicrosOf(credit, 'credit_micros') ?? 0,
        ...(repeated !== '' && { [REPEATED]: microsOf(repeated, REPEATED) }),
      });
    },
    onSettled: () => client.invalidateQueries({ queryKey: [`${OPERATOR}/accounts`] }),
  });
  if (create.data) {
    const show = () => navigate(path);
    const { api_key, webhook_secret } = create.data;
    return (
      <IssuedSecret title="The account is created" name="API key" secret={api_key} onClose={show}>
        <Secret name="Webhook secret" secret={webhook_secret} />
      </IssuedSecret>
    );
  }
  if (create.error instanceof ApiError && create.error.param === 'account_id') {
    return (
      <Dialog title="The account exists already" onClose={onClose}>
        <Stack>
          <p>
            An earlier request has created it, and the answer with its key was lost. Create another key on its page.
          </p>
          <Row>
            <ButtonLink to={path} kind="primary">
              Open the account
            </ButtonLink>
          </Row>
        </Stack>
      </Dialog>
    );
  }
  return (
    <FormDialog title="Create an account" action="Create" mutation={create} onClose={onClose}>
      <TextField label="Name" placeholder="Acme" {...field('name')} />
      <ScopeField label="Scope of the first key" {...field('key_scope')} />
      <AmountField
        label="Opening credit (USD)"
        placeholder="none"
        hint="A gift. Record what was paid as a payment on the account’s page."
        {...field('credit', 'credit_micros')}
      />
      <RepeatedAmount {...field('repeated', REPEATED)} />
      <LimitFields field={field} />
      <ReasonField {...field('reason')} />
    </FormDialog>
  );
}
