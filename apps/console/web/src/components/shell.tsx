import { type ReactNode, useEffect, useState } from 'react';
import { Link, usePath } from '../router/navigation';
import { setTheme, THEMES, type Theme, useTheme } from '../theme/theme';
import { Dialogs } from './dialog';
import { Icon, type IconName } from './icon';
import styles from './shell.module.css';
import { Toasts } from './toasts';

export interface NavigationItem {
  to: string;
  name: string;
  icon: IconName;
}

interface ShellProps {
  name: string;
  home: string;
  items: readonly NavigationItem[];
  account: ReactNode;
  /** Links to pages for readers, beside those of the navigation. */
  help?: ReactNode;
  onSignOut: () => void;
  children: ReactNode;
}

/** The frame of every page after the sign-in: the navigation beside the page, or above it behind a button. */
export function Shell({ name, home, items, account, help, onSignOut, children }: ShellProps) {
  const path = usePath();
  const [isOpen, setOpen] = useState(false);
  useEffect(() => setOpen(false), [path]);
  return (
    <div className={styles['shell']}>
      <a className={styles['skip']} href="#main">
        Skip to content
      </a>
      <header className={styles['side']} data-open={isOpen || undefined}>
        <div className={styles['brand']}>
          <Link to={home} aria-label={`${name}, start`}>
            <Mark />
            <span>{name}</span>
          </Link>
          <button
            type="button"
            className={styles['menu']}
            aria-expanded={isOpen}
            aria-controls="navigation"
            aria-label={isOpen ? 'Close the menu' : 'Open the menu'}
            onClick={() => setOpen(!isOpen)}
          >
            <Icon name={isOpen ? 'close' : 'menu'} size={22} />
          </button>
        </div>
        <div id="navigation" className={styles['panel']}>
          <nav aria-label="Pages">
            <ul>
              {items.map(({ to, name: text, icon }) => (
                <li key={to}>
                  <Link to={to} aria-current={isCurrent(path, to, home) ? 'page' : undefined}>
                    <Icon name={icon} />
                    {text}
                  </Link>
                </li>
              ))}
            </ul>
          </nav>
          <div className={styles['foot']}>
            {help && <div className={styles['help']}>{help}</div>}
            <div className={styles['account']}>{account}</div>
            <div className={styles['tools']}>
              <button type="button" className={styles['signout']} onClick={onSignOut}>
                Sign out
              </button>
              <ThemeSwitch />
            </div>
          </div>
        </div>
      </header>
      <main id="main" tabIndex={-1} className={styles['main']}>
        {children}
        <Dialogs />
      </main>
      <Toasts />
    </div>
  );
}

function isCurrent(path: string, to: string, home: string): boolean {
  return to === home ? path === home || path === `${home}/` : path === to || path.startsWith(`${to}/`);
}

const THEME_ICONS: Record<Theme, IconName> = { system: 'screen', light: 'sun', dark: 'moon' };

/** One button that goes through the three settings. */
export function ThemeSwitch() {
  const theme = useTheme();
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'system';
  const name = `Colours: ${theme}. Change to ${next}`;
  return (
    <button type="button" className={styles['theme']} aria-label={name} title={name} onClick={() => setTheme(next)}>
      <Icon name={THEME_ICONS[theme]} />
    </button>
  );
}

export function Mark({ size = 26 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" className={styles['mark']}>
      <rect width="32" height="32" rx="8" />
      <path d="M10 7v18M22 8 11.5 16.5 22 25" />
    </svg>
  );
}
