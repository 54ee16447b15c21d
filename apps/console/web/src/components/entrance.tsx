import { type ReactNode, useEffect, useRef } from 'react';
import styles from './entrance.module.css';
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

/** In place of every page, while the session cannot be read. */
export const Unreachable = (props: { error: unknown; retry: () => void }) => (
  <Entrance title="The console does not answer" intro="It may be starting. Nothing is lost in the meantime.">
    <Failure {...props} />
  </Entrance>
);
