import type { Egress } from '@kinora/egress';
import type { Clock, Logger } from '@kinora/service-kit';
import type { ComputeProvider } from './compute-provider.port';

export interface InstanceSettings {
  id: string;
  url: string;
  /** Sent with every request to the instance's own origin, and to no other. Values are secrets. */
  headers: Record<string, string>;
  concurrency: number;
}

/** The services of the process that an adapter may use. */
export interface ProviderServices {
  /** The only client for addresses from a backend's answer. */
  egress: Egress;
  logger: Logger;
  clock: Clock;
  /** The operator's folder of templates beside providers.yaml; null without one. */
  templatesDir: string | null;
}

/** An adapter type: its name, the class of its settings, and its factory. */
export interface ProviderType<Settings extends object = object> {
  /** The `type` of an entry in providers.yaml. */
  type: string;
  /** A class with class-validator decorators: the settings of this type besides InstanceSettings. */
  settings: new () => Settings;
  /** The least and the default of `concurrency`; 1 where it is absent. */
  leastConcurrency?: number;
  /** @throws Error, naming the setting, for an error that only the adapter can detect (a template that does not exist). */
  create(instance: InstanceSettings, settings: Settings, services: ProviderServices): ComputeProvider;
}
