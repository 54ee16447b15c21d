import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { post } from '../../api/client';
import { OPERATOR, OPERATOR_SESSION } from '../../api/operator';
import { FormDialog } from '../../components/dialog';
import { TextField } from '../../components/fields';
import { confirmWaiting, refuseWaiting, useWaitingAction } from './confirmation';

/** Asks for the password again before money moves or a status changes. */
export function ConfirmationDialog({ hasOidc }: { hasOidc: boolean }) {
  return useWaitingAction() === null ? null : <PasswordDialog hasOidc={hasOidc} />;
}

function PasswordDialog({ hasOidc }: { hasOidc: boolean }) {
  const [password, setPassword] = useState('');
  const confirm = useMutation({
    mutationFn: () => post(`${OPERATOR_SESSION}/confirm`, { password }),
    onSuccess: confirmWaiting,
  });
  return (
    <FormDialog
      title="Your password, please"
      action="Confirm"
      isBusy={confirm.isPending}
      error={confirm.error}
      params={['password']}
      onSubmit={() => confirm.mutate()}
      onClose={refuseWaiting}
    >
      <p>Money, status, strikes, links and users need it once in five minutes.</p>
      <TextField
        label="Password"
        name="password"
        type="password"
        autoComplete="current-password"
        value={password}
        onChange={setPassword}
      />
      {hasOidc && (
        <p>
          Without a password here: <a href={`${OPERATOR}/oidc/start?confirm=1`}>confirm with your organisation</a>, and
          begin again.
        </p>
      )}
    </FormDialog>
  );
}
