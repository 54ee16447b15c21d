import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { post, request } from '../../api/client';
import { API, type ApiKey, type IssuedApiKey, useModels } from '../../api/customer';
import { AmountField, optionalMicrosOf } from '../../components/amount-field';
import { Button } from '../../components/button';
import { Dialog, FormDialog } from '../../components/dialog';
import { Check, Select, TextField, useForm } from '../../components/fields';
import { Row, Stack } from '../../components/page';
import { notify } from '../../components/toasts';
import { Copy } from '../../components/values';
import styles from './keys.module.css';

interface IssuedSecretProps {
  title: string;
  name: string;
  secret: string;
  onClose: () => void;
  /** Others of the same answer. */
  children?: ReactNode;
}

/** A secret that the server shows once. The dialog stays until its button is clicked. */
export function IssuedSecret({ title, name, secret, onClose, children }: IssuedSecretProps) {
  return (
    <Dialog title={title} onClose={onClose} isLocked>
      <Stack>
        <p>Copy it now: it cannot be shown again.</p>
        <Secret name={name} secret={secret} />
        {children}
        <Row>
          <Button kind="primary" onClick={onClose}>
            I have stored it
          </Button>
        </Row>
      </Stack>
    </Dialog>
  );
}

export function Secret({ name, secret }: { name: string; secret: string }) {
  return (
    <div className={styles['secret']}>
      <code aria-label={name} title={name}>
        {secret}
      </code>
      <Copy text={secret} label={name} />
    </div>
  );
}

/** For how long the previous secret stays valid beside the new one. */
const OVERLAPS = [
  ['0', 'At once'],
  ['3600', 'In an hour'],
  ['86400', 'In a day'],
  ['604800', 'In 7 days'],
] as const;

interface RotateDialogProps<Answer> {
  title: string;
  path: string;
  /** What the new secret is, and how its dialog is called. */
  issued: { title: string; name: string };
  secretOf: (answer: Answer) => string;
  onClose: () => void;
  children: string;
}

/** Makes a new secret, beside which the old one works for a while. */
export function RotateDialog<Answer>(props: RotateDialogProps<Answer>) {
  const { title, path, issued, secretOf, onClose, children } = props;
  const client = useQueryClient();
  const [overlap, setOverlap] = useState('86400');
  const rotate = useMutation({
    mutationFn: () => post<Answer>(`${API}${path}`, { overlap_seconds: Number(overlap) }),
    onSuccess: () => client.invalidateQueries(),
  });
  if (rotate.data) return <IssuedSecret {...issued} secret={secretOf(rotate.data)} onClose={onClose} />;
  return (
    <FormDialog title={title} action="Make a new secret" mutation={rotate} onClose={onClose}>
      <p>{children}</p>
      <Select
        label="The old secret ends"
        name="overlap_seconds"
        value={overlap}
        options={OVERLAPS}
        onChange={setOverlap}
      />
    </FormDialog>
  );
}

interface KeyDialogProps {
  apiKey: ApiKey;
  onClose: () => void;
}

export const RotateKeyDialog = ({ apiKey, onClose }: KeyDialogProps) => (
  <RotateDialog<IssuedApiKey>
    title={`Rotate ${apiKey.name}`}
    path={`/account/keys/${apiKey.id}/rotate`}
    issued={{ title: 'The key has a new secret', name: 'API key' }}
    secretOf={({ api_key }) => api_key}
    onClose={onClose}
  >
    The key keeps its name, its limits and its budget. Both secrets work until the old one ends.
  </RotateDialog>
);

export function RevokeKeyDialog({ apiKey, onClose }: KeyDialogProps) {
  const client = useQueryClient();
  const revoke = useMutation({
    mutationFn: () => request('DELETE', `${API}/account/keys/${apiKey.id}`),
    onSuccess: async () => {
      await client.invalidateQueries();
      notify(`${apiKey.name} is revoked.`);
      onClose();
    },
  });
  return (
    <FormDialog
      title={`Revoke ${apiKey.name}`}
      action="Revoke for good"
      isDangerous
      mutation={revoke}
      onClose={onClose}
    >
      <p>
        Programs with the key <code>{apiKey.prefix}…</code> are refused from now on. Its jobs run to their end. This
        cannot be undone.
      </p>
    </FormDialog>
  );
}

interface KeyForm {
  name: string;
  scope: string;
  models: readonly string[];
  budget: string;
  period: string;
  expires: string;
}

const EMPTY: KeyForm = { name: '', scope: 'jobs', models: [], budget: '', period: 'month', expires: '' };
const DAY_MS = 24 * 60 * 60 * 1000;
const EXPIRIES = [
  ['', 'Never'],
  ['7', 'In 7 days'],
  ['30', 'In 30 days'],
  ['90', 'In 90 days'],
  ['365', 'In a year'],
] as const;

interface CreateKeyProps {
  /** Gets the secret, which no later answer has. */
  onIssued?: (secret: string) => void;
  onClose: () => void;
}

export function CreateKeyDialog({ onIssued, onClose }: CreateKeyProps) {
  const client = useQueryClient();
  const { form, change, field } = useForm(EMPTY);
  const create = useMutation({
    mutationFn: async () => post<IssuedApiKey>(`${API}/account/keys`, bodyOf(form)),
    onSuccess: ({ api_key }) => {
      onIssued?.(api_key);
      return client.invalidateQueries();
    },
  });
  if (create.data) {
    return <IssuedSecret title="The key is created" name="API key" secret={create.data.api_key} onClose={onClose} />;
  }
  return (
    <FormDialog title="Create a key" action="Create" mutation={create} onClose={onClose}>
      <TextField label="Name" placeholder="web shop" {...field('name')} />
      <Select
        label="Scope"
        {...field('scope')}
        options={[
          ['read', 'Read only'],
          ['jobs', 'Read, and create jobs'],
          ['account', 'Everything, also keys and webhooks'],
        ]}
      />
      <ModelLimits form={form} onChange={change} />
      <div className={styles['pair']}>
        <AmountField label="Budget (USD)" placeholder="no limit" {...field('budget', 'budget_micros')} />
        <Select
          label="For each"
          {...field('period', 'budget_period')}
          options={[
            ['day', 'day'],
            ['month', 'month'],
          ]}
        />
      </div>
      <Select label="Expires" options={EXPIRIES} {...field('expires', 'expires_at')} />
    </FormDialog>
  );
}

function ModelLimits({ form, onChange }: { form: KeyForm; onChange: (changes: Partial<KeyForm>) => void }) {
  const models = useModels();
  const toggle = (id: string, isChosen: boolean) =>
    onChange({ models: isChosen ? [...form.models, id] : form.models.filter((one) => one !== id) });
  return (
    <fieldset className={styles['group']}>
      <legend>Models (none chosen: any)</legend>
      <div className={styles['models']}>
        {(models.data ?? []).map(({ id, label }) => (
          <Check key={id} label={label} checked={form.models.includes(id)} onChange={(on) => toggle(id, on)} />
        ))}
      </div>
    </fieldset>
  );
}

function bodyOf({ name, scope, models, budget, period, expires }: KeyForm): Record<string, unknown> {
  const micros = optionalMicrosOf(budget, 'budget_micros');
  return {
    name: name.trim(),
    scope,
    ...(models.length > 0 && { models }),
    ...(micros !== null && { budget_micros: micros, budget_period: period }),
    ...(expires !== '' && { expires_at: new Date(Date.now() + Number(expires) * DAY_MS).toISOString() }),
  };
}
