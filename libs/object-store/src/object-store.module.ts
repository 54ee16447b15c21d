import { type DynamicModule, Module, type Provider, type Type } from '@nestjs/common';
import { DownloadLinks, UrlSigner, type UrlSigning } from './url-signer';
import { FileObjectStore } from './file-object-store';
import { MeteredObjectStore } from './metered-object-store';
import { ObjectStore } from './object-store';
import type { ObjectStoreConfig } from './object-store.config';

/** Where in a service's configuration the settings are. */
export interface ObjectStoreSettings<Config> {
  store: (config: Config) => ObjectStoreConfig;
  /** Only for a service that issues or verifies links: the key gives access to every object. */
  signing?: (config: Config) => UrlSigning;
}

/** Provides the ObjectStore to a service and, if it has the settings for them, DownloadLinks and UrlSigner. */
@Module({})
export class ObjectStoreModule {
  static forConfig<Config>(
    config: Type<Config>,
    { store: storeOf, signing: signingOf }: ObjectStoreSettings<Config>,
  ): DynamicModule {
    const inject = [config];
    const store: Provider = {
      provide: ObjectStore,
      useFactory: async (settings: Config) => new MeteredObjectStore(await createObjectStore(storeOf(settings))),
      inject,
    };
    const links: Provider[] = signingOf
      ? [
          { provide: UrlSigner, useFactory: (settings: Config) => new UrlSigner(signingOf(settings)), inject },
          {
            provide: DownloadLinks,
            useFactory: (settings: Config) => createDownloadLinks(storeOf(settings), signingOf(settings)),
            inject,
          },
        ]
      : [];
    const providers = [store, ...links];
    return { module: ObjectStoreModule, global: true, providers, exports: providers };
  }
}

/** The S3 SDK takes a tenth of a second and twenty megabytes of each process, so it is loaded only if it is used. */
export async function createObjectStore(config: ObjectStoreConfig): Promise<ObjectStore> {
  if (config.driver === 'filesystem') return new FileObjectStore(config.dir);
  const { S3ObjectStore } = await import('./s3-object-store');
  return new S3ObjectStore(config);
}

export async function createDownloadLinks(config: ObjectStoreConfig, signing: UrlSigning): Promise<DownloadLinks> {
  if (config.driver === 'filesystem') return new UrlSigner(signing);
  const { S3DownloadLinks } = await import('./s3-download-links');
  return new S3DownloadLinks(config);
}
