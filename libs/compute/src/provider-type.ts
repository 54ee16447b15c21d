import type { Egress } from '@kinora/egress';
import type { Logger } from '@kinora/service-kit';
import type { ComputeProvider } from './compute-provider.port';

/** What providers.yaml says of every instance, whatever its type. */
export interface InstanceSettings {
  id: string;
  url: string;
  /** Sent with every request to the instance's own origin and to no other. Values are secrets. */
  headers: Record<string, string>;
  concurrency: number;
}

/** What an adapter may use of the process. */
export interface ProviderServices {
  /** The one way to an address that a backend's answer named. */
  egress: Egress;
  logger: Logger;
  /** The folder of graph templates and their parameter maps that the operator has put beside providers.yaml; null without one. */
  templatesDir: string | null;
}

/** An adapter as the configuration knows it: its name, the form of its own settings, and how an instance is made. */
export interface ProviderType<Settings extends object = object> {
  /** The `type` of an entry in providers.yaml. */
  type: string;
  /** A class with class-validator's decorators: the keys that an entry of this type may have beside InstanceSettings. */
  settings: new () => Settings;
  /** The bound of an instance whose entry names none; 1 without it. */
  defaultConcurrency?: number;
  /** @throws Error, naming the setting, for what only the adapter can see (a template that is not there). */
  create(instance: InstanceSettings, settings: Settings, services: ProviderServices): ComputeProvider;
}
