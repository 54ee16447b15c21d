import { useState } from 'react';
import { post } from '../../api/client';
import { CUSTOMER_SESSION, type CustomerPermission, type CustomerSession, useMay } from '../../api/customer';
import { useLinkToken, useSession, useSignIn } from '../../api/session';
import { Button } from '../../components/button';
import { Entrance } from '../../components/entrance';
import { Form, sentBy, TextField } from '../../components/fields';
import { Card, Page } from '../../components/page';
import { Empty } from '../../components/states';
import { Link, navigate } from '../../router/navigation';
import { PasswordForm } from '../people/people-pages';
import type { Route } from '../../routes';

/** What a session lacks, in place of the refusals that its requests would get. */
export const NeedsAccount = () => (
  <Empty title="This needs a key with the scope account">
    Sign in with such a key, or ask an owner of the account for another role.
  </Empty>
);

/** Pages of which a session without the permission shows only the heading. */
export const only = (permission: CustomerPermission, ...routes: Route[]): Route[] =>
  routes.map(({ page: Content, ...route }) => {
    const Permitted: typeof Content = (props) =>
      useMay(permission) ? (
        <Content {...props} />
      ) : (
        <Page title={route.title}>
          <Card>
            <NeedsAccount />
          </Card>
        </Page>
      );
    return { ...route, page: Permitted };
  });

/** A link that signs in once. A click is needed, because mail scanners open links too. */
export function PortalPage() {
  // A CSRF token comes with the session, also before the sign-in.
  const session = useSession<CustomerSession>(CUSTOMER_SESSION);
  const token = useLinkToken();
  const enter = useSignIn(() => post<CustomerSession>(`${CUSTOMER_SESSION}/portal`, { token }), '/');
  return (
    <Entrance
      title="Open the console"
      intro={
        token === ''
          ? 'This link has no token, or was opened before. Ask for a new one, or sign in with an API key.'
          : 'This link signs you in once.'
      }
    >
      <Form {...sentBy(enter)}>
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
export function SignInPage({ session }: { session: CustomerSession }) {
  const [apiKey, setApiKey] = useState('');
  const signIn = useSignIn(() => post<CustomerSession>(CUSTOMER_SESSION, { api_key: apiKey.trim() }));
  return (
    <Entrance
      title="Sign in"
      intro="See your balance, your jobs and your webhooks, and try a model."
      foot={
        <>
          {session.sign_up !== 'open' &&
            'No key? Ask the operator of this service for one, or for a link that signs you in. '}
          <Link to="/check">Check where a file comes from</Link> without one.
        </>
      }
    >
      <Form {...sentBy(signIn)}>
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
      {session.sign_up !== 'off' && <PasswordForm session={session} />}
    </Entrance>
  );
}
