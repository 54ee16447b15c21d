import { AZURE_THRESHOLDS, AzureProtocol } from './azure/azure-protocol';
import { EngineConnection } from './engine-connection';
import { AzureSettings, HttpSettings, OpenAiSettings } from './engine-settings';
import { HTTP_THRESHOLDS, HttpProtocol } from './http/http-protocol';
import { OPENAI_THRESHOLDS, OpenAiProtocol } from './openai/openai-protocol';
import { RemoteService } from './remote-service';
import type { Judged, ThresholdRules, Thresholds } from './thresholds';

/** An engine elsewhere, and what it is asked about. */
export interface ConfiguredEngine {
  service: RemoteService;
  judges: readonly Judged[];
}

/** One kind of engine that an operator may add. */
export interface EngineType<Settings extends object> {
  settings: new () => Settings;
  thresholds: ThresholdRules;
  create: (settings: Settings, thresholds: Thresholds) => ConfiguredEngine;
}

const BOTH: readonly Judged[] = ['text', 'image'];

const openai: EngineType<OpenAiSettings> = {
  settings: OpenAiSettings,
  thresholds: OPENAI_THRESHOLDS,
  create: ({ id, url, api_key, model, timeout_ms, concurrency }, thresholds) => {
    const headers = { authorization: `Bearer ${api_key}` };
    const connection = new EngineConnection({ url, headers, timeoutMs: timeout_ms, connections: concurrency });
    return { service: new RemoteService(id, connection, new OpenAiProtocol(model), thresholds, model), judges: BOTH };
  },
};

const AZURE_VERSION = '2024-09-01';

const azure: EngineType<AzureSettings> = {
  settings: AzureSettings,
  thresholds: AZURE_THRESHOLDS,
  create: ({ id, url, api_key, timeout_ms, concurrency }, thresholds) => {
    const connection = new EngineConnection({
      url: withVersion(url),
      headers: { 'ocp-apim-subscription-key': api_key },
      timeoutMs: timeout_ms,
      connections: concurrency,
    });
    return { service: new RemoteService(id, connection, new AzureProtocol(), thresholds, AZURE_VERSION), judges: BOTH };
  },
};

const http: EngineType<HttpSettings> = {
  settings: HttpSettings,
  thresholds: HTTP_THRESHOLDS,
  create: ({ id, url, headers, judges, timeout_ms, concurrency }, thresholds) => {
    const connection = new EngineConnection({ url, headers, timeoutMs: timeout_ms, connections: concurrency });
    const required = { text: Object.keys(thresholds.text), image: Object.keys(thresholds.image) };
    return { service: new RemoteService(id, connection, new HttpProtocol(required), thresholds, 'http'), judges };
  },
};

function withVersion(url: string): string {
  const versioned = new URL(url);
  versioned.searchParams.set('api-version', AZURE_VERSION);
  return versioned.href;
}

/** Checks one entry by its own class, and makes the engine only when told to. */
export type ReadEntry = <Result>(use: <Settings extends object>(type: EngineType<Settings>) => Result) => Result;

/** The types by name. Rules and hash are not among them: nobody has to ask for those. */
export const ENGINE_TYPES: Readonly<Record<string, ReadEntry>> = {
  openai: (use) => use(openai),
  azure: (use) => use(azure),
  http: (use) => use(http),
};
