import { type ReactNode, useEffect, useId, useRef } from 'react';
import { Button } from './button';
import styles from './dialog.module.css';
import { Form } from './fields';

interface DialogProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
}

/** A native modal dialog: it holds the focus, Escape closes it, and the focus returns to what opened it. */
export function Dialog({ title, onClose, children }: DialogProps) {
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
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  );
}

interface FormDialogProps extends DialogProps {
  action: string;
  isDangerous?: boolean;
  isBusy: boolean;
  error: unknown;
  params?: readonly string[];
  onSubmit: () => void;
}

export function FormDialog({ action, isDangerous = false, isBusy, children, ...dialog }: FormDialogProps) {
  const { title, onClose, error, onSubmit, params = [] } = dialog;
  return (
    <Dialog title={title} onClose={onClose}>
      <Form error={error} params={params} onSubmit={() => !isBusy && onSubmit()}>
        {children}
        <div className={styles['buttons']}>
          <Button onClick={onClose}>Back</Button>
          <Button type="submit" kind={isDangerous ? 'danger' : 'primary'} isBusy={isBusy}>
            {action}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
