import type { ButtonHTMLAttributes } from 'react';
import { Link } from '../router/navigation';
import styles from './button.module.css';
import { Icon, type IconName } from './icon';

export type Kind = 'primary' | 'plain' | 'quiet' | 'danger';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  kind?: Kind;
  icon?: IconName;
  isBusy?: boolean;
}

const classOf = (kind: Kind, className = '') => `${styles['button']} ${styles[kind]} ${className}`;

/** While busy it keeps the focus and its width, and ignores further clicks. */
export function Button({ kind = 'plain', icon, isBusy = false, className, children, onClick, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={classOf(kind, className)}
      aria-busy={isBusy || undefined}
      onClick={(event) => (isBusy ? event.preventDefault() : onClick?.(event))}
    >
      {icon && <Icon name={icon} size={16} />}
      {children}
    </button>
  );
}

interface ButtonLinkProps {
  to: string;
  kind?: Kind;
  icon?: IconName;
  children: string;
}

export function ButtonLink({ to, kind = 'plain', icon, children }: ButtonLinkProps) {
  return (
    <Link to={to} className={classOf(kind)}>
      {icon && <Icon name={icon} size={16} />}
      {children}
    </Link>
  );
}

/** A link that saves a file which the backend makes. */
export function DownloadLink({ href, name, children }: { href: string; name?: string; children: string }) {
  return (
    <a className={classOf('plain')} href={href} download={name ?? true}>
      <Icon name="download" size={16} />
      {children}
    </a>
  );
}
