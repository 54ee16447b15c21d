import { settingsOf } from '@kinora/service-kit';
import { validateSync } from 'class-validator';
import { exportsOf, sourceFiles } from '../../deploy/build/source-files';

type ConfigClass = new () => object;

const NETWORKS = '10.0.0.0/8,127.0.0.1:9443';

describe('a setting that opens private networks', () => {
  /** The result of the settings loader, where a single problem ends the start. */
  function isRefused(configClass: ConfigClass, property: string, profile: string): boolean {
    const config = Object.assign(new configClass(), { profile, [property]: NETWORKS });
    return validateSync(config, { forbidUnknownValues: false }).some((problem) => problem.property === property);
  }

  it('is accepted by every service that has it in the local profile, and ends the start of each of them in production', async () => {
    const found = await Promise.all(sourceFiles('apps', /\.config\.ts$/).map(exportsOf));
    const classes = found
      .flatMap((exported) => Object.values(exported))
      .filter((value): value is ConfigClass => typeof value === 'function' && 'prototype' in value);
    const verdicts = classes.flatMap((configClass) =>
      settingsOf(configClass)
        .filter(({ env }) => env === 'KINORA_EGRESS_ALLOW')
        .map(({ property }) => ({
          service: configClass.name,
          local: isRefused(configClass, property, 'local'),
          production: isRefused(configClass, property, 'production'),
        })),
    );
    expect(verdicts.map(({ service }) => service)).toEqual(
      expect.arrayContaining(['GatewayConfig', 'JobsConfig', 'WebhookDispatcherConfig']),
    );
    for (const { service, ...verdict } of verdicts)
      expect({ service, ...verdict }).toEqual({ service, local: false, production: true });
  });
});
