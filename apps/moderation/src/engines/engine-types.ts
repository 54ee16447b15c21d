import { AZURE_THRESHOLDS, AzureProtocol } from './azure/azure-protocol';
import { EngineConnection } from './engine-connection';
import { AzureSettings, HttpSettings, OpenAiSettings } from './engine-settings';
import { HTTP_THRESHOLDS, HttpProtocol } from './http/http-protocol';
import { OPENAI_THRESHOLDS, OpenAiProtocol } from './openai/openai-protocol';
import type { EngineProtocol } from './protocol';
import type { ContentKind, ThresholdRules, Thresholds } from './thresholds';

/** The connection and the protocol of an external engine. */
export interface EngineAccess {
  connection: EngineConnection;
  protocol: EngineProtocol;
}

/** One type of engine that an operator may add. */
export interface EngineType<Settings extends object> {
  settings: new () => Settings;
  thresholds: ThresholdRules;
  /** The name of the model, as far as the settings show it. */
  modelOf: (settings: Settings) => string;
  kindsOf: (settings: Settings) => readonly ContentKind[];
  access: (settings: Settings, thresholds: Thresholds) => EngineAccess;
}

const openai: EngineType<OpenAiSettings> = {
  settings: OpenAiSettings,
  thresholds: OPENAI_THRESHOLDS,
  modelOf: ({ model }) => model,
  kindsOf: () => ['text', 'image'],
  access: ({ url, api_key, model, timeout_ms, concurrency }) => {
    const headers = { authorization: `Bearer ${api_key}` };
    const connection = new EngineConnection({ url, headers, timeoutMs: timeout_ms, connections: concurrency });
    return { connection, protocol: new OpenAiProtocol(model) };
  },
};

const AZURE_VERSION = '2024-09-01';

const azure: EngineType<AzureSettings> = {
  settings: AzureSettings,
  thresholds: AZURE_THRESHOLDS,
  modelOf: () => AZURE_VERSION,
  kindsOf: () => ['text', 'image'],
  access: ({ url, api_key, timeout_ms, concurrency }) => {
    const connection = new EngineConnection({
      url: withVersion(url),
      headers: { 'ocp-apim-subscription-key': api_key },
      timeoutMs: timeout_ms,
      connections: concurrency,
    });
    return { connection, protocol: new AzureProtocol() };
  },
};

const http: EngineType<HttpSettings> = {
  settings: HttpSettings,
  thresholds: HTTP_THRESHOLDS,
  modelOf: () => 'http',
  kindsOf: ({ judges }) => judges,
  access: ({ url, headers, timeout_ms, concurrency }, { text, image }) => {
    const connection = new EngineConnection({ url, headers, timeoutMs: timeout_ms, connections: concurrency });
    return { connection, protocol: new HttpProtocol({ text: Object.keys(text), image: Object.keys(image) }) };
  },
};

function withVersion(url: string): string {
  const versioned = new URL(url);
  versioned.searchParams.set('api-version', AZURE_VERSION);
  return versioned.href;
}

/** Validates one entry by the settings class of its type; the engine is created only when `use` does so. */
export type ReadEntry = <Result>(use: <Settings extends object>(type: EngineType<Settings>) => Result) => Result;

/** The types by name. `rules` and `hash` are missing because they are always enabled. */
export const ENGINE_TYPES: Readonly<Record<string, ReadEntry>> = {
  openai: (use) => use(openai),
  azure: (use) => use(azure),
  http: (use) => use(http),
};
