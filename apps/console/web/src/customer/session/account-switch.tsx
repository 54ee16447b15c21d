import { useMutation } from '@tanstack/react-query';
import { post } from '../../api/client';
import { API, type MemberAccount } from '../../api/customer';
import { useGet } from '../../api/pages';
import { Select } from '../../components/fields';
import { notifyError } from '../../components/toasts';

/** The account of the session, and for members of several a menu of them. */
export function AccountSwitch({ id, name }: { id: string; name: string }) {
  const { data: accounts = [] } = useGet<{ data: MemberAccount[] }, MemberAccount[]>(['accounts'], `${API}/accounts`, {
    select: ({ data }) => data,
    staleTime: 60_000,
  });
  const open = useMutation({
    mutationFn: (account_id: string) => post(`${API}/accounts/switch`, { account_id }),
    // The whole page is loaded again: nothing of the other account stays in it.
    onSuccess: () => window.location.assign('/'),
    onError: notifyError,
  });
  if (accounts.length < 2) return <strong>{name}</strong>;
  const options = accounts.map((account) => [account.account_id, `${account.name} (${account.role})`] as const);
  return (
    <Select label="Account" value={id} options={options} disabled={open.isPending} onChange={(to) => open.mutate(to)} />
  );
}
