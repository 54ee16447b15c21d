import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, post } from '../../api/client';
import { API, type IssuedApiKey, useModels } from '../../api/customer';
import { FormDialog } from '../../components/dialog';
import { Check, Select, TextField } from '../../components/fields';
import { parseDollars } from '../../formatting/money';
import { IssuedSecret } from './issued-secret';
import styles from './keys.module.css';

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

export function CreateKeyDialog({ onClose }: { onClose: () => void }) {
  const [form, setForm] = useState(EMPTY);
  const create = useMutation({
    mutationFn: async () => post<IssuedApiKey>(`${API}/account/keys`, bodyOf(form)),
  });
  const change = (changes: Partial<KeyForm>) => setForm((before) => ({ ...before, ...changes }));
  if (create.data) {
    return <IssuedSecret title="The key is created" name="API key" secret={create.data.api_key} onClose={onClose} />;
  }
  return (
    <FormDialog
      title="Create a key"
      action="Create"
      isBusy={create.isPending}
      error={create.error}
      params={['name', 'scope', 'budget_micros', 'budget_period', 'expires_at']}
      onSubmit={() => create.mutate()}
      onClose={onClose}
    >
      <TextField
        label="Name"
        name="name"
        value={form.name}
        placeholder="web shop"
        onChange={(name) => change({ name })}
      />
      <Select
        label="May do"
        name="scope"
        value={form.scope}
        options={[
          ['read', 'Read only'],
          ['jobs', 'Read, and create jobs'],
          ['account', 'Everything, also keys and webhooks'],
        ]}
        onChange={(scope) => change({ scope })}
      />
      <ModelLimits form={form} onChange={change} />
      <div className={styles['pair']}>
        <TextField
          label="Budget in dollars"
          name="budget_micros"
          inputMode="decimal"
          placeholder="no limit"
          value={form.budget}
          onChange={(budget) => change({ budget })}
        />
        <Select
          label="For each"
          name="budget_period"
          value={form.period}
          options={[
            ['day', 'day'],
            ['month', 'month'],
          ]}
          onChange={(period) => change({ period })}
        />
      </div>
      <Select
        label="Expires"
        name="expires_at"
        value={form.expires}
        options={EXPIRIES}
        onChange={(expires) => change({ expires })}
      />
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
  const micros = budget.trim() === '' ? null : parseDollars(budget);
  if (budget.trim() !== '' && micros === null) {
    throw new ApiError('Write an amount such as 25 or 2.50.', 0, 'invalid_body', 'budget_micros');
  }
  return {
    name: name.trim(),
    scope,
    ...(models.length > 0 && { models }),
    ...(micros !== null && { budget_micros: micros, budget_period: period }),
    ...(expires !== '' && { expires_at: new Date(Date.now() + Number(expires) * DAY_MS).toISOString() }),
  };
}
