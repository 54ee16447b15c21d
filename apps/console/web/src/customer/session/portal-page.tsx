import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { post } from '../../api/client';
import { CUSTOMER_SESSION, type CustomerSession } from '../../api/customer';
import { enterSession, useSession } from '../../api/session';
import { Button } from '../../components/button';
import { Entrance } from '../../components/entrance';
import { Form } from '../../components/fields';
import { navigate } from '../../router/location';

/** A link that signs in once. A click is needed, because mail scanners open links too. */
export function PortalPage() {
  const client = useQueryClient();
  // A CSRF token comes with the session, also before the sign-in.
  const session = useSession<CustomerSession>(CUSTOMER_SESSION);
  const [token] = useState(() => new URLSearchParams(window.location.hash.slice(1)).get('token') ?? '');
  useEffect(() => {
    // The token leaves the address bar and the history at once.
    window.history.replaceState(null, '', window.location.pathname);
  }, []);
  const enter = useMutation({
    mutationFn: () => post<CustomerSession>(`${CUSTOMER_SESSION}/portal`, { token }),
    onSuccess: async (opened) => {
      await enterSession(client, opened);
      navigate('/', { replace: true });
    },
  });
  return (
    <Entrance
      title="Open the console"
      intro={
        token === ''
          ? 'This link has no token, or was opened before. Ask for a new one, or sign in with an API key.'
          : 'This link signs you in once.'
      }
    >
      <Form error={enter.error} onSubmit={() => !enter.isPending && enter.mutate()}>
        {token !== '' && (
          <Button type="submit" kind="primary" isBusy={enter.isPending || session.isPending}>
            Continue
          </Button>
        )}
        <Button onClick={() => navigate('/', { replace: true })}>Use an API key instead</Button>
      </Form>
    </Entrance>
  );
}
