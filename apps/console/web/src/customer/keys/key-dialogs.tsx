import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { post, request } from '../../api/client';
import { API, type ApiKey, type IssuedApiKey } from '../../api/customer';
import { FormDialog } from '../../components/dialog';
import { Select } from '../../components/fields';
import { notify } from '../../components/toasts';
import { IssuedSecret } from './issued-secret';
import { OVERLAPS } from './overlaps';

interface KeyDialogProps {
  apiKey: ApiKey;
  onClose: () => void;
}

export function RotateKeyDialog({ apiKey, onClose }: KeyDialogProps) {
  const [overlap, setOverlap] = useState('86400');
  const rotate = useMutation({
    mutationFn: () =>
      post<IssuedApiKey>(`${API}/account/keys/${apiKey.id}/rotate`, { overlap_seconds: Number(overlap) }),
  });
  if (rotate.data) {
    return (
      <IssuedSecret title="The key has a new secret" name="API key" secret={rotate.data.api_key} onClose={onClose} />
    );
  }
  return (
    <FormDialog
      title={`Rotate ${apiKey.name}`}
      action="Make a new secret"
      isBusy={rotate.isPending}
      error={rotate.error}
      params={['overlap_seconds']}
      onSubmit={() => rotate.mutate()}
      onClose={onClose}
    >
      <p>The key keeps its name, its limits and its budget. Both secrets work until the old one ends.</p>
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

export function RevokeKeyDialog({ apiKey, onClose }: KeyDialogProps) {
  const revoke = useMutation({
    mutationFn: () => request('DELETE', `${API}/account/keys/${apiKey.id}`),
    onSuccess: () => {
      notify(`${apiKey.name} is revoked.`);
      onClose();
    },
  });
  return (
    <FormDialog
      title={`Revoke ${apiKey.name}`}
      action="Revoke for good"
      isDangerous
      isBusy={revoke.isPending}
      error={revoke.error}
      onSubmit={() => revoke.mutate()}
      onClose={onClose}
    >
      <p>
        Programs with the key <code>{apiKey.prefix}…</code> are refused from now on. Its jobs run to their end. This
        cannot be undone.
      </p>
    </FormDialog>
  );
}
