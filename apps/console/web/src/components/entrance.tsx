import { type ReactNode, useEffect, useRef } from 'react';
import { post } from '../api/client';
import { useSignIn } from '../api/session';
import { Button, type Kind } from './button';
import styles from './entrance.module.css';
import { EmailField, Form, PasswordField, sentBy, useForm } from './fields';
import { useHeading } from './page';
import { Mark, ThemeSwitch } from './shell';
import { Failure } from './states';

/** The page before the sign-in: one card, in the middle. */
export function Entrance({
  title,
  intro,
  children,
  foot,
}: {
  title: string;
  intro: ReactNode;
  children: ReactNode;
  foot?: ReactNode;
}) {
  const heading = useHeading();
  const card = useRef<HTMLDivElement>(null);
  useEffect(() => {
    document.title = `${title} · Kinora`;
    card.current?.querySelector('input')?.focus();
  }, [title]);
  return (
    <main className={styles['entrance']}>
      <div ref={card} className={styles['card']}>
        <div className={styles['brand']}>
          <Mark size={34} />
          <ThemeSwitch />
        </div>
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        <p className={styles['intro']}>{intro}</p>
        {children}
      </div>
      {foot && <p className={styles['foot']}>{foot}</p>}
    </main>
  );
}

interface SignInProps {
  path: string;
  action: string;
  kind: Kind;
  children?: ReactNode;
}

/** The sign-in by e-mail and password. */
export function SignInForm({ path, action, kind, children }: SignInProps) {
  const { form, field } = useForm({ email: '', password: '' });
  const signIn = useSignIn(() => post(path, { ...form, email: form.email.trim() }));
  return (
    <Form {...sentBy(signIn)}>
      <EmailField autoComplete="username" {...field('email')} />
      <PasswordField {...field('password')} />
      <Button type="submit" kind={kind} isBusy={signIn.isPending} disabled={!form.email || !form.password}>
        {action}
      </Button>
      {children}
    </Form>
  );
}

/** In place of every page, while the session cannot be read. */
export const Unreachable = (props: { error: unknown; retry: () => void }) => (
  <Entrance title="The console does not answer" intro="It may be starting. Nothing is lost in the meantime.">
    <Failure {...props} />
  </Entrance>
);
