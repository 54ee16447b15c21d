import { Setting } from '@kinora/service-kit';
import { renderSettings } from './env-example';

class BaseConfig {
  @Setting({ env: 'LOG_LEVEL', description: 'Least level that is logged.' })
  logLevel = 'info';
}

class WebhookDispatcherConfig extends BaseConfig {
  @Setting({ env: 'WEBHOOK_TIMEOUT_MS', description: 'How long a receiver may take.' })
  timeoutMs = 15_000;

  @Setting({ env: 'DATABASE_URL', description: 'PostgreSQL.', secret: true })
  databaseUrl!: string;

  @Setting({ env: 'SIGNING_KEY', description: 'Signs the links.', secret: true })
  signingKey = 'for-development-only';
}

describe('example of the environment', () => {
  it('has each setting once, with its meaning and default, and never the value of a secret', () => {
    const [, ...sections] = renderSettings([WebhookDispatcherConfig, BaseConfig]).split('\n## ');
    expect(sections).toEqual([
      'Base\n\n# Least level that is logged.\n# LOG_LEVEL=info\n',
      'Webhook dispatcher\n' +
        '\n# How long a receiver may take.\n# WEBHOOK_TIMEOUT_MS=15000\n' +
        '\n# PostgreSQL. Required. Secret.\nDATABASE_URL=\n' +
        '\n# Signs the links. Secret.\n# SIGNING_KEY=\n',
    ]);
  });
});
