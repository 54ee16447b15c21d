import { type DynamicModule, Module, type Provider, type Type } from '@nestjs/common';
import { FileObjectStore } from './file-object-store';
import { ObjectStore } from './object-store';
import { UrlSigner, type UrlSigning } from './url-signer';

/** Where in a service's configuration the settings stand. */
export interface ObjectStoreSettings<Config> {
  /** The folder that holds the objects. */
  dir: (config: Config) => string;
  /** Only for a service that hands out or honours links: the key opens every object. */
  signing?: (config: Config) => UrlSigning;
}

/** Gives every provider of a service the ObjectStore and, if it has the settings for it, the UrlSigner. */
@Module({})
export class ObjectStoreModule {
  static forConfig<Config>(config: Type<Config>, { dir, signing }: ObjectStoreSettings<Config>): DynamicModule {
    const store: Provider = {
      provide: ObjectStore,
      useFactory: (settings: Config) => new FileObjectStore(dir(settings)),
      inject: [config],
    };
    const signer: Provider | undefined = signing && {
      provide: UrlSigner,
      useFactory: (settings: Config) => new UrlSigner(signing(settings)),
      inject: [config],
    };
    return {
      module: ObjectStoreModule,
      global: true,
      providers: [store, ...(signer ? [signer] : [])],
      exports: [ObjectStore, ...(signer ? [UrlSigner] : [])],
    };
  }
}
