import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ComponentType, useEffect, useState } from 'react';
import { post } from '../../api/client';
import { CUSTOMER_SESSION, type CustomerSession, useCan } from '../../api/customer';
import { enterSession, useSession } from '../../api/session';
import { Button } from '../../components/button';
import { Entrance } from '../../components/entrance';
import { Form, TextField } from '../../components/fields';
import { Card, Page } from '../../components/page';
import { Empty } from '../../components/states';
import { navigate } from '../../router/navigation';
import type { PageProps } from '../../routes';

/** What a session lacks, in place of the refusals that its requests would get. */
export const NeedsAccount = () => (
  <Empty title="This needs a key with the scope account">Sign in with such a key to see and change it.</Empty>
);

/** A page of which a session with a lesser key shows only the heading. */
export function accountOnly(title: string, Content: ComponentType<PageProps>): ComponentType<PageProps> {
  return function AccountOnly(props) {
    if (useCan('account')) return <Content {...props} />;
    return (
      <Page title={title}>
        <Card>
          <NeedsAccount />
        </Card>
      </Page>
    );
  };
}

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

/** Sign-in with an API key: the session can do what the key can do, and no more. */
export function SignInPage() {
  const client = useQueryClient();
  const [apiKey, setApiKey] = useState('');
  const signIn = useMutation({
    mutationFn: () => post<CustomerSession>(CUSTOMER_SESSION, { api_key: apiKey.trim() }),
    onSuccess: (session) => enterSession(client, session),
  });
  return (
    <Entrance
      title="Sign in"
      intro="See your balance, your jobs and your webhooks, and try a model."
      foot="No key? Ask the operator of this service for one, or for a link that signs you in."
    >
      <Form error={signIn.error} params={['api_key']} onSubmit={() => !signIn.isPending && signIn.mutate()}>
        <TextField
          label="API key"
          name="api_key"
          value={apiKey}
          onChange={setApiKey}
          placeholder="knr_live_…"
          isSecret={apiKey !== ''}
          hint="The session can do what the key can do, and ends after 12 hours."
        />
        <Button type="submit" kind="primary" isBusy={signIn.isPending} disabled={apiKey.trim() === ''}>
          Sign in
        </Button>
      </Form>
    </Entrance>
  );
}
