import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, post } from '../../api/client';
import { CUSTOMER_SESSION, type CustomerSession, LINKS, type ShownLink } from '../../api/customer';
import { useLinkToken, useSession, useSignIn } from '../../api/session';
import { Button } from '../../components/button';
import { Entrance, SignInForm } from '../../components/entrance';
import { EmailField, Form, PasswordField, sentBy, TextField, useForm } from '../../components/fields';
import { Link, navigate } from '../../router/navigation';

const BACK = <Link to="/">Back to the sign-in</Link>;

interface RequestProps {
  purpose: 'sign_up' | 'reset';
  title: string;
  intro: string;
  action: string;
}

/** Asks for an e-mail. The answer does not tell whether the address is known. */
function RequestPage({ purpose, title, intro, action }: RequestProps) {
  // A browser that is signed in sends the token of its session.
  useSession<CustomerSession>(CUSTOMER_SESSION);
  const { form, field } = useForm({ email: '' });
  const request = useMutation({ mutationFn: () => post(LINKS, { purpose, email: form.email.trim() }) });
  if (request.isSuccess)
    return (
      <Entrance
        title="Check your e-mail"
        intro="If this address can be used here, an e-mail with a link is on its way. It may take a minute."
        foot={BACK}
      >
        <Button onClick={() => request.reset()}>Use another address</Button>
      </Entrance>
    );
  return (
    <Entrance title={title} intro={intro} foot={BACK}>
      <Form {...sentBy(request)}>
        <EmailField autoComplete="email" {...field('email')} />
        <Button type="submit" kind="primary" isBusy={request.isPending} disabled={form.email.trim() === ''}>
          {action}
        </Button>
      </Form>
    </Entrance>
  );
}

export const SignUpPage = () => (
  <RequestPage
    purpose="sign_up"
    title="Sign up"
    intro="You get an e-mail with a link, and choose a password there."
    action="Send the link"
  />
);

export const ForgotPage = () => (
  <RequestPage
    purpose="reset"
    title="Choose a new password"
    intro="You get an e-mail with a link. It signs out every other browser."
    action="Send the link"
  />
);

const TITLES: Record<ShownLink['purpose'], string> = {
  sign_up: 'Welcome',
  reset: 'Choose a new password',
  invitation: 'Join an account',
};

/** The page of a link in an e-mail. It shows first what it is for: mail scanners open links, and do not choose passwords. */
export function LinkPage() {
  const session = useSession<CustomerSession>(CUSTOMER_SESSION);
  const token = useLinkToken();
  const link = useQuery({
    queryKey: ['link', token],
    queryFn: () => post<ShownLink>(`${LINKS}/show`, { token }),
    enabled: token !== '' && !session.isPending,
    retry: false,
    staleTime: Infinity,
  });
  if (token === '' || link.error)
    return (
      <Entrance
        title="This link does not work"
        intro={
          link.error instanceof Error ? link.error.message : 'It has no token, or was opened before. Ask for a new one.'
        }
        foot={BACK}
      >
        <Button onClick={() => navigate('/forgot', { replace: true })}>Ask for a new link</Button>
      </Entrance>
    );
  return link.data ? <UseLinkForm token={token} link={link.data} /> : null;
}

function UseLinkForm({ token, link }: { token: string; link: ShownLink }) {
  const { purpose, email, role, has_password: isKnown } = link;
  const [name, setName] = useState('My account');
  const { form, field } = useForm({ password: '', repeated: '' });
  const enter = useSignIn(async () => {
    const { password, repeated } = form;
    if (!isKnown && password !== repeated)
      throw new ApiError('The two passwords differ.', 0, 'invalid_body', 'repeated');
    const named = purpose === 'sign_up' ? { account_name: name } : {};
    return post<CustomerSession>(`${LINKS}/use`, { token, password, ...named });
  }, '/');
  const toJoin = `You are invited with the role ${role}. `;
  return (
    <Entrance
      title={TITLES[purpose]}
      intro={
        <>
          {purpose === 'invitation' && toJoin}
          {isKnown ? 'Sign in as ' : 'Choose a password of twelve characters or more for '}
          <strong>{email}</strong>.
        </>
      }
    >
      <Form {...sentBy(enter)}>
        {purpose === 'sign_up' && (
          <TextField label="Name of the account" name="account_name" value={name} onChange={setName} maxLength={100} />
        )}
        <PasswordField autoComplete={isKnown ? 'current-password' : 'new-password'} {...field('password')} />
        {!isKnown && <PasswordField label="Repeat the password" autoComplete="new-password" {...field('repeated')} />}
        <Button type="submit" kind="primary" isBusy={enter.isPending} disabled={form.password === ''}>
          {purpose === 'invitation' ? 'Join' : 'Continue'}
        </Button>
      </Form>
    </Entrance>
  );
}

/** The sign-in by e-mail, where the service has users. */
export function PasswordForm({ session }: { session: CustomerSession }) {
  return (
    <>
      <h2>With your e-mail address</h2>
      <SignInForm path={`${CUSTOMER_SESSION}/password`} action="Continue" kind="plain" />
      {session.has_oidc && <a href="/admin/v1/oidc/start">Sign in with your organisation</a>}
      <p>
        <Link to="/forgot">Forgot the password?</Link>{' '}
        {session.sign_up === 'open' && <Link to="/sign-up">Sign up</Link>}
      </p>
    </>
  );
}
