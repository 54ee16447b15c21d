import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { SESSION } from '../../api/session';
import { FormDialog } from '../../components/dialog';
import { TextField } from '../../components/fields';
import { notify } from '../../components/toasts';
import { act } from './confirmation';

interface ActionDialogProps {
  title: string;
  action: string;
  method?: 'POST' | 'PATCH' | 'DELETE';
  path: string;
  /** The fields beside the reason; may throw what is wrong with them. */
  body: () => Record<string, unknown>;
  params?: readonly string[];
  done: string;
  isDangerous?: boolean;
  onClose: () => void;
  children?: ReactNode;
}

/** A change with its reason, which stands in the audit trail beside the operator's name. */
export function ActionDialog(props: ActionDialogProps) {
  const {
    title,
    action,
    method = 'POST',
    path,
    body,
    params = [],
    done,
    isDangerous = false,
    onClose,
    children,
  } = props;
  const client = useQueryClient();
  const [reason, setReason] = useState('');
  const change = useMutation({
    mutationFn: async () => act(method, path, { ...body(), ...(reason.trim() !== '' && { reason: reason.trim() }) }),
    onSuccess: async () => {
      await client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION[0] });
      notify(done);
      onClose();
    },
  });
  return (
    <FormDialog
      title={title}
      action={action}
      isDangerous={isDangerous}
      isBusy={change.isPending}
      error={change.error}
      params={[...params, 'reason']}
      onSubmit={() => change.mutate()}
      onClose={onClose}
    >
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
