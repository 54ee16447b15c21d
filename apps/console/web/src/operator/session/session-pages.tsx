import { ApiError, post } from '../../api/client';
import { OPERATOR, OPERATOR_SESSION, type OperatorSession } from '../../api/operator';
import { useLinkToken, useSession, useSignIn } from '../../api/session';
import { Button } from '../../components/button';
import { Entrance, SignInForm } from '../../components/entrance';
import { EmailField, Form, PasswordField, sentBy, useForm } from '../../components/fields';

export function OperatorSignInPage({ session }: { session: OperatorSession }) {
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
      <SignInForm path={OPERATOR_SESSION} action="Sign in" kind="primary">
        {session.has_oidc && <a href={`${OPERATOR}/oidc/start`}>Sign in with your organisation</a>}
      </SignInForm>
    </Entrance>
  );
}

const PASSWORD_CHARS = 12;

/** The page of a one-time link: the user whom it is for chooses a password. */
export function SetupPage() {
  const session = useSession<OperatorSession>(OPERATOR_SESSION);
  const token = useLinkToken();
  const { form, field } = useForm({ email: '', password: '', repeated: '' });
  const setUp = useSignIn(async () => {
    const { email, password, repeated } = form;
    if (password.length < PASSWORD_CHARS)
      throw new ApiError('Choose a password of twelve characters or more.', 0, 'invalid_body', 'password');
    if (password !== repeated) throw new ApiError('The two passwords differ.', 0, 'invalid_body', 'repeated');
    return post<OperatorSession>(`${OPERATOR}/setup`, { token, email: email.trim(), password });
  }, '/operator');
  return (
    <Entrance
      title="Create an operator"
      intro={
        token === ''
          ? 'This address needs the token of a link. The first start prints one, and so does npm run kinora -- operator add.'
          : 'The link works once. Choose a password of twelve characters or more.'
      }
    >
      <Form {...sentBy(setUp)}>
        <EmailField autoComplete="username" {...field('email')} />
        <PasswordField autoComplete="new-password" {...field('password')} />
        <PasswordField label="Repeat the password" autoComplete="new-password" {...field('repeated')} />
        <Button
          type="submit"
          kind="primary"
          isBusy={setUp.isPending || session.isPending}
          disabled={token === '' || form.email === '' || form.password === ''}
        >
          Create the operator
        </Button>
      </Form>
    </Entrance>
  );
}
