import { type ComponentType, createElement, type ReactNode, useEffect, useId, useRef } from 'react';
import { createStore } from '../api/store';
import { usePath } from '../router/navigation';
import { Button } from './button';
import styles from './dialog.module.css';
import { Form, type Sender, sentBy } from './fields';

const opened = createStore<ReactNode>(null);
const onClose = () => opened.set(null);

/** Opens a dialog above the page. It closes with the page. */
export const openDialog = <Props extends { onClose: () => void }>(
  dialog: ComponentType<Props>,
  props: Omit<Props, 'onClose'>,
) => opened.set(createElement(dialog, { ...props, onClose } as Props));

/** The dialog that is open. */
export function Dialogs() {
  const path = usePath();
  useEffect(() => onClose, [path]);
  return opened.use();
}

interface DialogProps {
  title: string;
  onClose: () => void;
  /** Escape does not close it: what it shows, or waits for, would be lost. */
  isLocked?: boolean;
  children?: ReactNode;
}

/** A native modal dialog: it holds the focus, Escape closes it, and the focus returns to what opened it. */
export function Dialog({ title, onClose, isLocked = false, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const opener = document.activeElement;
    const element = dialog.current;
    element?.showModal();
    return () => {
      element?.close();
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      className={styles['dialog']}
      aria-labelledby={id}
      // Chromium closes a dialog at the second Escape, whatever the handler of the event does.
      closedby={isLocked ? 'none' : 'closerequest'}
      onCancel={(event) => {
        event.preventDefault();
        if (!isLocked) onClose();
      }}
    >
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  );
}

export interface FormDialogProps extends Omit<DialogProps, 'isLocked'> {
  action: string;
  isDangerous?: boolean;
  /** What the form does. */
  mutation: Sender;
}

/** It stays open while the request runs: its result, such as a secret that is shown once, appears in its place. */
export function FormDialog({ action, isDangerous = false, mutation, children, ...dialog }: FormDialogProps) {
  const { isPending } = mutation;
  return (
    <Dialog {...dialog} isLocked={isPending}>
      <Form {...sentBy(mutation)}>
        {children}
        <div className={styles['buttons']}>
          <Button onClick={dialog.onClose} disabled={isPending}>
            Back
          </Button>
          <Button type="submit" kind={isDangerous ? 'danger' : 'primary'} isBusy={isPending}>
            {action}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
