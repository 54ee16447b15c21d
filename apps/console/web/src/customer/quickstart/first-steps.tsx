import { type ReactNode, useContext, useState } from 'react';
import { SessionContext } from '../../api/customer';
import { requestSamples } from '../../code/request-sample';
import { Button, ButtonLink } from '../../components/button';
import { CodeBlock, CodeTabs } from '../../components/code-tabs';
import { openDialog } from '../../components/dialog';
import { Icon } from '../../components/icon';
import { Stack } from '../../components/page';
import { CreateKeyDialog } from '../keys/key-dialogs';
import { PLACEHOLDERS } from '../draft/draft';
import styles from './first-steps.module.css';
import { useFirstSteps } from './use-first-steps';

const KEY_PLACEHOLDER = '<your key>';

/** From an empty account to a program that creates images. Each step shows when it is done. */
export function FirstSteps() {
  const [secret, setSecret] = useState(KEY_PLACEHOLDER);
  const [hasImage, hasKey, hasRequest, hasWebhook] = useFirstSteps();
  const apiBaseUrl = useContext(SessionContext)?.api_base_url ?? '';
  const body = { prompt: PLACEHOLDERS['images.generations'] };
  const { curl = '', ...samples } = requestSamples({ operation: 'images.generations', body, apiBaseUrl });
  return (
    <>
      <ol className={styles['steps']}>
        <Step name="Make an image" isDone={hasImage}>
          <p>Write a prompt in the playground. The price is shown before, and charged only if the job succeeds.</p>
          <ButtonLink to="/playground">Open the playground</ButtonLink>
        </Step>
        <Step name="Create a key" isDone={hasKey}>
          <p>Its secret is shown once. This page puts it into the code below until you leave.</p>
          <Button onClick={() => openDialog(CreateKeyDialog, { onIssued: setSecret })}>Create a key</Button>
        </Step>
        <Step name="Run this code" isDone={hasRequest}>
          <Stack>
            <CodeBlock label="Shell" text={`export KINORA_API_KEY='${secret}'`} />
            <CodeTabs label="Language" samples={{ curl, ...samples }} />
          </Stack>
        </Step>
        <Step name="Receive a webhook" isDone={hasWebhook}>
          <p>Give a request your address as webhook_url, or send a test event to it.</p>
          <ButtonLink to="/webhooks">Send a test</ButtonLink>
        </Step>
      </ol>
    </>
  );
}

function Step({ name, isDone, children }: { name: string; isDone: boolean | undefined; children: ReactNode }) {
  return (
    <li data-done={isDone || undefined}>
      <h3>
        {name}
        {isDone && (
          <span className={styles['done']}>
            <Icon name="check" size={14} />
            done
          </span>
        )}
      </h3>
      {children}
    </li>
  );
}
