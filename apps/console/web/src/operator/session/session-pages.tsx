import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ApiError, post } from '../../api/client';
import { OPERATOR, OPERATOR_SESSION, type OperatorSession } from '../../api/operator';
import { enterSession, useSession } from '../../api/session';
import { Button } from '../../components/button';
import { Entrance } from '../../components/entrance';
import { Form, TextField } from '../../components/fields';
import { navigate } from '../../router/navigation';

export function OperatorSignInPage({ session }: { session: OperatorSession }) {
  const client = useQueryClient();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const signIn = useMutation({
    mutationFn: () => post<OperatorSession>(OPERATOR_SESSION, { email: email.trim(), password }),
    onSuccess: (opened) => enterSession(client, opened),
  });
  return (
    <Entrance
      title="Operator sign-in"
      intro={
        session.needs_setup
          ? 'There is no operator yet. Open the link that the first start has printed.'
          : 'Accounts, jobs, compute, money and moderation of this service.'
      }
      foot="No user yet? npm run kinora -- operator add makes a link that creates one."
    >
      <Form error={signIn.error} params={['email', 'password']} onSubmit={() => !signIn.isPending && signIn.mutate()}>
        <TextField label="E-mail" name="email" type="email" autoComplete="username" value={email} onChange={setEmail} />
        <TextField
          label="Password"
          name="password"
          type="password"
          autoComplete="current-password"
          value={password}
          onChange={setPassword}
        />
        <Button type="submit" kind="primary" isBusy={signIn.isPending} disabled={email === '' || password === ''}>
          Sign in
        </Button>
        {session.has_oidc && <a href={`${OPERATOR}/oidc/start`}>Sign in with your organisation</a>}
      </Form>
    </Entrance>
  );
}

/** The page of a one-time link: the user whom it is for chooses a password. */
export function SetupPage() {
  const client = useQueryClient();
  const session = useSession<OperatorSession>(OPERATOR_SESSION);
  const [token] = useState(() => new URLSearchParams(window.location.hash.slice(1)).get('token') ?? '');
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [repeated, setRepeated] = useState('');
  useEffect(() => {
    // The token leaves the address bar and the history at once.
    window.history.replaceState(null, '', window.location.pathname);
  }, []);
  const setUp = useMutation({
    mutationFn: async () => {
      if (password !== repeated) throw new ApiError('The two passwords differ.', 0, 'invalid_body', 'repeated');
      return post<OperatorSession>(`${OPERATOR}/setup`, { token, email: email.trim(), password });
    },
    onSuccess: async (opened) => {
      await enterSession(client, opened);
      navigate('/operator', { replace: true });
    },
  });
  return (
    <Entrance
      title="Create an operator"
      intro={
        token === ''
          ? 'This address needs the token of a link. The first start prints one, and so does npm run kinora -- operator add.'
          : 'The link works once. Choose a password of twelve characters or more.'
      }
    >
      <Form
        error={setUp.error}
        params={['email', 'password', 'repeated']}
        onSubmit={() => !setUp.isPending && setUp.mutate()}
      >
        <TextField label="E-mail" name="email" type="email" autoComplete="username" value={email} onChange={setEmail} />
        <TextField
          label="Password"
          name="password"
          type="password"
          autoComplete="new-password"
          value={password}
          onChange={setPassword}
        />
        <TextField
          label="Once more"
          name="repeated"
          type="password"
          autoComplete="new-password"
          value={repeated}
          onChange={setRepeated}
        />
        <Button
          type="submit"
          kind="primary"
          isBusy={setUp.isPending || session.isPending}
          disabled={token === '' || email === '' || password === ''}
        >
          Create the operator
        </Button>
      </Form>
    </Entrance>
  );
}
