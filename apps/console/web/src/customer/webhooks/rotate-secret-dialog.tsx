import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { post } from '../../api/client';
import { API } from '../../api/customer';
import { FormDialog } from '../../components/dialog';
import { Select } from '../../components/fields';
import { IssuedSecret } from '../keys/issued-secret';
import { OVERLAPS } from '../keys/overlaps';

export function RotateSecretDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const [overlap, setOverlap] = useState('86400');
  const rotate = useMutation({
    mutationFn: () =>
      post<{ webhook_secret: string }>(`${API}/account/webhook-secret/rotate`, { overlap_seconds: Number(overlap) }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['account'] }),
  });
  if (rotate.data) {
    const { webhook_secret: secret } = rotate.data;
    return <IssuedSecret title="Webhooks have a new secret" name="webhook secret" secret={secret} onClose={onClose} />;
  }
  return (
    <FormDialog
      title="Make a new webhook secret"
      action="Make a new secret"
      isBusy={rotate.isPending}
      error={rotate.error}
      params={['overlap_seconds']}
      onSubmit={() => rotate.mutate()}
      onClose={onClose}
    >
      <p>Until the old secret ends, each delivery has a signature of both, so receivers can change at any time.</p>
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
