import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, post, request } from '../../api/client';
import { OPERATOR, OPERATOR_SESSION } from '../../api/operator';
import { SESSION } from '../../api/session';
import { createStore } from '../../api/store';
import { FormDialog, type FormDialogProps } from '../../components/dialog';
import { PasswordField, TextField } from '../../components/fields';
import { notify } from '../../components/toasts';

interface Waiting {
  resolve: () => void;
  reject: (error: Error) => void;
}

/** The action that waits for the password; null if there is none. */
const waiting = createStore<Waiting | null>(null);

function confirmWaiting(): void {
  waiting.get()?.resolve();
  waiting.set(null);
}

function refuseWaiting(): void {
  waiting.get()?.reject(new Error('The password was not given, so nothing was changed.'));
  waiting.set(null);
}

/** Sends a change. Where the server requires the password again, a dialog asks for it, and the change is sent once more. */
export async function act<Answer>(
  method: 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body: unknown = {},
): Promise<Answer> {
  try {
    return await request<Answer>(method, path, { body });
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'confirmation_required') throw error;
    await new Promise<void>((resolve, reject) => waiting.set({ resolve, reject }));
    return request<Answer>(method, path, { body });
  }
}

interface ActionDialogProps extends Omit<FormDialogProps, 'mutation'> {
  method?: 'POST' | 'PATCH' | 'DELETE';
  path: string;
  /** The fields beside the reason; may throw what is wrong with them. */
  body?: () => Record<string, unknown>;
  done: string;
}

/** A change with its reason, which stands in the audit trail beside the operator's name. */
export function ActionDialog({ method = 'POST', path, body, done, children, ...dialog }: ActionDialogProps) {
  const client = useQueryClient();
  const [reason, setReason] = useState('');
  const change = useMutation({
    mutationFn: async () => act(method, path, { ...body?.(), ...(reason.trim() !== '' && { reason: reason.trim() }) }),
    onSuccess: async () => {
      await client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION[0] });
      notify(done);
      dialog.onClose();
    },
  });
  return (
    <FormDialog {...dialog} mutation={change}>
      {children}
      <ReasonField value={reason} onChange={setReason} />
    </FormDialog>
  );
}

export function ReasonField({ value, onChange }: { value: string; onChange: (reason: string) => void }) {
  return (
    <TextField
      label="Reason"
      name="reason"
      value={value}
      hint="Stands in the audit trail beside your name."
      onChange={onChange}
    />
  );
}

/** Asks for the password again before money moves or a status changes. */
export function ConfirmationDialog({ hasOidc }: { hasOidc: boolean }) {
  return waiting.use() === null ? null : <PasswordDialog hasOidc={hasOidc} />;
}

function PasswordDialog({ hasOidc }: { hasOidc: boolean }) {
  const [password, setPassword] = useState('');
  const confirm = useMutation({
    mutationFn: () => post(`${OPERATOR_SESSION}/confirm`, { password }),
    onSuccess: confirmWaiting,
  });
  return (
    <FormDialog title="Confirm your password" action="Confirm" mutation={confirm} onClose={refuseWaiting}>
      <p>Money, status, strikes, links and users need it once in five minutes.</p>
      <PasswordField name="password" value={password} onChange={setPassword} />
      {hasOidc && (
        <p>
          Without a password here: <a href={`${OPERATOR}/oidc/start?confirm=1`}>confirm with your organisation</a>, and
          begin again.
        </p>
      )}
    </FormDialog>
  );
}
