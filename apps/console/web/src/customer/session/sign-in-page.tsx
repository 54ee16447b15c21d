import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { post } from '../../api/client';
import { CUSTOMER_SESSION, type CustomerSession } from '../../api/customer';
import { enterSession } from '../../api/session';
import { Button } from '../../components/button';
import { Entrance } from '../../components/entrance';
import { Form, TextField } from '../../components/fields';

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
