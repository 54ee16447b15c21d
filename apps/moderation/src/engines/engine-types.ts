import {
  Allow,
  ArrayMinSize,
  IsArray,
  IsIn,
  IsInt,
  IsObject,
  IsString,
  IsUrl,
  Matches,
  Max,
  Min,
} from 'class-validator';
import { AreHeaders, type Clock } from '@kinora/service-kit';
import { AZURE_THRESHOLDS, AzureProtocol } from './azure-protocol';
import { EngineConnection } from './engine-connection';
import type { ContentKind, ThresholdRules, Thresholds } from '../judging/engine-policy';
import { HTTP_THRESHOLDS, HttpProtocol } from './http-protocol';
import { OPENAI_THRESHOLDS, OpenAiProtocol } from './openai-protocol';
import type { EngineProtocol } from './protocol';

const URL_RULES = { require_tld: false, require_protocol: true, protocols: ['http', 'https'], disallow_auth: true };
/** Visible characters only: no other character is allowed in a header. */
const KEY = /^[\x21-\x7e]{1,1024}$/;
const KEY_RULE = { message: 'must be a key of visible characters; ${NAME} takes it from the environment' };

/** Settings that every entry of `engines:` has. */
class CommonSettings {
  @IsString()
  type!: string;

  /** The name of the engine in decisions and logs. */
  @Matches(/^[a-z0-9][a-z0-9._-]{0,63}$/)
  id!: string;

  /** Shorter than the gate's own timeout, so that the log names the engine's fault instead of the timeout. */
  @IsInt()
  @Min(100)
  @Max(4_500)
  timeout_ms = 4_000;

  @IsInt()
  @Min(1)
  @Max(256)
  concurrency = 16;

  /** Validated by the rules of the engine's type. */
  @Allow()
  thresholds: unknown;
}

class OpenAiSettings extends CommonSettings {
  @IsUrl(URL_RULES)
  url = 'https://api.openai.com/v1';

  @Matches(KEY, KEY_RULE)
  api_key!: string;

  @Matches(/^[\w.:/-]{1,100}$/)
  model = 'omni-moderation-latest';
}

class AzureSettings extends CommonSettings {
  /** The URL of the resource, without a path. */
  @IsUrl(URL_RULES)
  url!: string;

  @Matches(KEY, KEY_RULE)
  api_key!: string;
}

class HttpSettings extends CommonSettings {
  /** The full URL of the endpoint. */
  @IsUrl(URL_RULES)
  url!: string;

  @IsObject()
  @AreHeaders()
  headers: Record<string, string> = {};

  @IsArray()
  @ArrayMinSize(1)
  @IsIn(['text', 'image'], { each: true })
  judges: ('text' | 'image')[] = ['text', 'image'];
}

/** The connection and the protocol of an external engine. */
export interface EngineAccess {
  connection: EngineConnection;
  protocol: EngineProtocol;
}

/** One type of engine that an operator may add. */
interface EngineType<Settings extends object> {
  settings: new () => Settings;
  thresholds: ThresholdRules;
  /** The name of the model, as far as the settings show it. */
  modelOf: (settings: Settings) => string;
  kindsOf: (settings: Settings) => readonly ContentKind[];
  access: (settings: Settings & { clock: Clock }, thresholds: Thresholds) => EngineAccess;
}

const openai: EngineType<OpenAiSettings> = {
  settings: OpenAiSettings,
  thresholds: OPENAI_THRESHOLDS,
  modelOf: ({ model }) => model,
  kindsOf: () => ['text', 'image'],
  access: ({ url, api_key, model, timeout_ms, concurrency, clock }) => {
    const headers = { authorization: `Bearer ${api_key}` };
    const connection = new EngineConnection({ url, headers, timeoutMs: timeout_ms, connections: concurrency, clock });
    return { connection, protocol: new OpenAiProtocol(model) };
  },
};

const AZURE_VERSION = '2024-09-01';

const azure: EngineType<AzureSettings> = {
  settings: AzureSettings,
  thresholds: AZURE_THRESHOLDS,
  modelOf: () => AZURE_VERSION,
  kindsOf: () => ['text', 'image'],
  access: ({ url, api_key, timeout_ms, concurrency, clock }) => {
    const connection = new EngineConnection({
      url: withVersion(url),
      headers: { 'ocp-apim-subscription-key': api_key },
      timeoutMs: timeout_ms,
      connections: concurrency,
      clock,
    });
    return { connection, protocol: new AzureProtocol() };
  },
};

const http: EngineType<HttpSettings> = {
  settings: HttpSettings,
  thresholds: HTTP_THRESHOLDS,
  modelOf: () => 'http',
  kindsOf: ({ judges }) => judges,
  access: ({ url, headers, timeout_ms, concurrency, clock }, { text, image }) => {
    const connection = new EngineConnection({ url, headers, timeoutMs: timeout_ms, connections: concurrency, clock });
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
