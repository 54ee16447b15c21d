import { useEffect } from 'react';
import { messageOf } from '../api/client';
import { createStore } from '../api/store';
import { Icon } from './icon';
import styles from './toasts.module.css';

interface Toast {
  id: number;
  text: string;
  isError: boolean;
}

const SHOWN_MS = 6000;
const toasts = createStore<readonly Toast[]>([]);
let lastId = 0;

export const notify = (text: string, isError = false) =>
  toasts.set([...toasts.get(), { id: ++lastId, text, isError }].slice(-3));

export const notifyError = (error: unknown) => notify(messageOf(error), true);

const close = (id: number) => toasts.set(toasts.get().filter((toast) => toast.id !== id));

/** Short messages about what has been done. Screen readers read them when they are free. */
export function Toasts() {
  const shown = toasts.use();
  return (
    <div className={styles['toasts']} role="status" aria-live="polite">
      {shown.map((toast) => (
        <ToastLine key={toast.id} toast={toast} />
      ))}
    </div>
  );
}

function ToastLine({ toast }: { toast: Toast }) {
  useEffect(() => {
    // An error stays until it is closed.
    if (toast.isError) return;
    const timer = setTimeout(() => close(toast.id), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [toast]);
  return (
    <div className={toast.isError ? styles['error'] : styles['toast']}>
      <Icon name={toast.isError ? 'alert' : 'check'} />
      <span>{toast.text}</span>
      <button type="button" aria-label="Close the message" onClick={() => close(toast.id)}>
        <Icon name="close" size={15} />
      </button>
    </div>
  );
}
