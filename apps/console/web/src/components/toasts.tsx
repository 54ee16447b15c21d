import { useEffect, useSyncExternalStore } from 'react';
import { messageOf } from '../api/client';
import { Icon } from './icon';
import styles from './toasts.module.css';

interface Toast {
  id: number;
  text: string;
  isError: boolean;
}

const SHOWN_MS = 6000;
const listeners = new Set<() => void>();
let toasts: readonly Toast[] = [];
let lastId = 0;

function change(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

export function notify(text: string): void {
  change([...toasts, { id: ++lastId, text, isError: false }].slice(-3));
}

export function notifyError(error: unknown): void {
  change([...toasts, { id: ++lastId, text: messageOf(error), isError: true }].slice(-3));
}

const close = (id: number) => change(toasts.filter((toast) => toast.id !== id));

/** Short messages about what has been done. Screen readers read them when they are free. */
export function Toasts() {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => toasts,
  );
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
