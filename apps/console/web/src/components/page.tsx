import { type ReactNode, useEffect, useId, useRef } from 'react';
import styles from './page.module.css';
import { Money } from './values';

interface PageProps {
  title: string;
  intro?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

let isLoad = true;

/** The heading of a page, which takes the focus as the page of a link would. */
export function useHeading() {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // After a load the browser itself begins at the top.
    if (!isLoad) heading.current?.focus({ preventScroll: true });
    isLoad = false;
  }, []);
  return heading;
}

export function Page({ title, intro, actions, children }: PageProps) {
  const heading = useHeading();
  return (
    <div className={styles['page']}>
      <header className={styles['head']}>
        <div>
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {intro && <p className={styles['intro']}>{intro}</p>}
        </div>
        {actions && <div className={styles['actions']}>{actions}</div>}
      </header>
      {children}
    </div>
  );
}

interface CardProps {
  title?: string;
  intro?: ReactNode;
  actions?: ReactNode;
  children?: ReactNode;
  /** The content has its own distance from the edge, as a table has. */
  isFlush?: boolean;
}

export function Card({ title, intro, actions, children, isFlush = false }: CardProps) {
  const id = useId();
  return (
    <section className={styles['card']} aria-labelledby={title === undefined ? undefined : id}>
      {title !== undefined && (
        <div className={styles['cardhead']}>
          <div>
            <h2 id={id}>{title}</h2>
            {intro && <p className={styles['cardintro']}>{intro}</p>}
          </div>
          {actions && <div className={styles['actions']}>{actions}</div>}
        </div>
      )}
      {children !== undefined && <div className={isFlush ? undefined : styles['cardbody']}>{children}</div>}
    </section>
  );
}

interface FigureProps {
  name: string;
  note?: ReactNode;
  /** An amount of money that is shown; undefined while it is not known. */
  micros?: number | undefined;
  children?: ReactNode;
}

/** A number with its name, the largest text of a page. */
export function Figure({ name, note, micros, children }: FigureProps) {
  return (
    <div className={styles['figure']}>
      <p className={styles['figurename']}>{name}</p>
      <p className={styles['figurevalue']}>{children ?? (micros === undefined ? '…' : <Money micros={micros} />)}</p>
      {note && <p className={styles['figurenote']}>{note}</p>}
    </div>
  );
}

export const Figures = ({ children }: { children: ReactNode }) => <div className={styles['figures']}>{children}</div>;
export const Row = ({ children }: { children: ReactNode }) => <div className={styles['row']}>{children}</div>;
export const Stack = ({ children }: { children: ReactNode }) => <div className={styles['stack']}>{children}</div>;
/** Cards side by side; even ones have one height. */
export const Columns = ({ children, isEven = false }: { children: ReactNode; isEven?: boolean }) => (
  <div className={`${styles['columns']} ${isEven ? styles['even'] : ''}`}>{children}</div>
);
