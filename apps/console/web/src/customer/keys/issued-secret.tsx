import { Button } from '../../components/button';
import { Dialog } from '../../components/dialog';
import { Row, Stack } from '../../components/page';
import { Copy } from '../../components/values';
import styles from './keys.module.css';

interface IssuedSecretProps {
  title: string;
  name: string;
  secret: string;
  onClose: () => void;
}

/** A secret that the server shows once. The dialog stays until its button is clicked. */
export function IssuedSecret({ title, name, secret, onClose }: IssuedSecretProps) {
  return (
    <Dialog title={title} onClose={onClose} isLocked>
      <Stack>
        <p>Copy it now: it cannot be shown again.</p>
        <div className={styles['secret']}>
          <code aria-label={name}>{secret}</code>
          <Copy text={secret} label={name} />
        </div>
        <Row>
          <Button kind="primary" onClick={onClose}>
            I have stored it
          </Button>
        </Row>
      </Stack>
    </Dialog>
  );
}
