import { useContext } from 'react';
import { referenceUrl, SessionContext } from '../../api/customer';
import { Card, Page } from '../../components/page';
import { Facts, Id } from '../../components/values';
import { FirstSteps } from './first-steps';

export function QuickstartPage() {
  const apiBaseUrl = useContext(SessionContext)?.api_base_url ?? '';
  const openAiUrl = apiBaseUrl.replace(/\/v1$/, '/openai/v1');
  return (
    <Page title="Quickstart" intro="From a key to a program that makes images.">
      <Card title="First steps">
        <FirstSteps />
      </Card>
      <Card title="Addresses">
        <Facts
          facts={[
            ['Base URL', <Id key="api" id={apiBaseUrl} label="base URL" full />],
            ['For clients of OpenAI', <Id key="openai" id={openAiUrl} label="base URL for clients of OpenAI" full />],
            [
              'Reference',
              <a key="docs" href={referenceUrl(apiBaseUrl)} referrerPolicy="origin">
                Every endpoint, field and error code
              </a>,
            ],
          ]}
        />
      </Card>
    </Page>
  );
}
