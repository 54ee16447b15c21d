import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { post } from '../../api/client';
import { OPERATOR, OPERATOR_SESSION, type OperatorSession } from '../../api/operator';
import { enterSession } from '../../api/session';
import { Button } from '../../components/button';
import { Entrance } from '../../components/entrance';
import { Form, TextField } from '../../components/fields';

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
