import { useEffect, useState } from 'react';
import { createStore } from '../api/store';
import { Link, navigate } from '../router/navigation';
import { Dialog } from './dialog';
import { Form, TextField } from './fields';
import styles from './palette.module.css';

const opened = createStore(false);

export interface Target {
  to: string;
  name: string;
}

interface PaletteProps {
  pages: readonly Target[];
  /** What the field finds beside the pages. */
  label: string;
  /** A hook: the pages of what the text names, such as an id, beside those with this name. */
  useFound: (text: string) => readonly Target[];
}

/** Ctrl and K open a list of the pages, which a text narrows down. Enter opens the first one. */
export function Palette(props: PaletteProps) {
  useEffect(() => {
    const open = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      // Another dialog holds the focus, and may hold a secret.
      if (!document.querySelector('dialog[open]')) opened.set(true);
    };
    window.addEventListener('keydown', open);
    return () => window.removeEventListener('keydown', open);
  }, []);
  return opened.use() ? <PaletteDialog {...props} onClose={() => opened.set(false)} /> : null;
}

export const PaletteButton = () => (
  <button type="button" className={styles['button']} onClick={() => opened.set(true)}>
    Go to… <kbd>Ctrl K</kbd>
  </button>
);

function PaletteDialog({ pages, label, useFound, onClose }: PaletteProps & { onClose: () => void }) {
  const [text, setText] = useState('');
  const named = pages.filter(({ name }) => name.toLowerCase().includes(text.trim().toLowerCase()));
  const targets = [...named, ...useFound(text.trim())];
  const open = () => {
    if (!targets[0]) return;
    onClose();
    navigate(targets[0].to);
  };
  return (
    <Dialog title="Go to" onClose={onClose}>
      <Form error={null} onSubmit={open}>
        <TextField label={label} value={text} onChange={setText} />
        <ul className={styles['targets']} aria-label="Found">
          {targets.map(({ to, name }) => (
            <li key={to}>
              <Link to={to} onClick={onClose}>
                {name}
              </Link>
            </li>
          ))}
        </ul>
      </Form>
    </Dialog>
  );
}
