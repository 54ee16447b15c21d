import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { post } from '../../api/client';
import { API, type Delivery } from '../../api/customer';
import { FormDialog } from '../../components/dialog';
import { TextField } from '../../components/fields';
import { notify } from '../../components/toasts';
import { navigate } from '../../router/location';

export function TestDialog({ onClose }: { onClose: () => void }) {
  const [url, setUrl] = useState('');
  const test = useMutation({
    mutationFn: () => post<Delivery>(`${API}/webhooks/test`, { url: url.trim() }),
    onSuccess: ({ id }) => {
      notify('A test event is on its way.');
      onClose();
      navigate(`/webhooks/${id}`);
    },
  });
  return (
    <FormDialog
      title="Send a test event"
      action="Send"
      isBusy={test.isPending}
      error={test.error}
      params={['url']}
      onSubmit={() => test.mutate()}
      onClose={onClose}
    >
      <TextField
        label="Address of the receiver"
        name="url"
        inputMode="url"
        value={url}
        placeholder="https://example.com/hooks/kinora"
        hint="Public https, port 443 or 8443. The event is signed as a real one, about a job that does not exist."
        onChange={setUrl}
      />
    </FormDialog>
  );
}
