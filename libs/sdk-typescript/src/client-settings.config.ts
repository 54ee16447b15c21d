import { KinoraError } from './errors';
import { isBrowser } from './platform';

/** Receives a line for each attempt, without keys, bodies and links. `console` is one. */
export interface Logger {
  debug(message: string): void;
  warn(message: string): void;
}

export interface ClientOptions {
  /** Without one `KINORA_API_KEY`. Null sends none, where `headers` or `fetch` authenticate otherwise. */
  apiKey?: string | null | undefined;
  /** The address of the API, up to and with `/v1`. Without one `KINORA_BASE_URL`. */
  baseURL?: string | undefined;
  /** Milliseconds until an attempt without an answer is given up; 60,000 without one. */
  timeout?: number | undefined;
  /** How often a failed request is repeated; 4 without one. */
  maxRetries?: number | undefined;
  /** Sent with every request to the API. */
  headers?: Record<string, string> | undefined;
  fetch?: typeof fetch | undefined;
  logger?: Logger | undefined;
  /** Each visitor of a page can read its key and use it. Only for pages without other visitors. */
  dangerouslyAllowBrowser?: boolean | undefined;
}

export interface ClientSettings {
  apiKey: string | null;
  baseURL: string;
  timeoutMs: number;
  maxRetries: number;
  headers: Record<string, string>;
  fetch: typeof fetch;
  logger: Logger | undefined;
}

/** @throws KinoraError for a missing address or key, and for a key in a browser */
export function readSettings(options: ClientOptions): ClientSettings {
  const apiKey = (options.apiKey === undefined ? environment('KINORA_API_KEY') : options.apiKey)?.trim() ?? null;
  const baseURL = (options.baseURL ?? environment('KINORA_BASE_URL') ?? '').replace(/\/+$/, '');
  if (baseURL === '')
    throw new KinoraError('The address of the API is missing: pass `baseURL`, or set KINORA_BASE_URL.');
  if (!/^https?:\/\//i.test(baseURL) && !(isBrowser() && baseURL.startsWith('/')))
    throw new KinoraError(`The address of the API begins with http:// or https://, and "${baseURL}" does not.`);
  if (apiKey === '' || (apiKey === null && options.apiKey !== null && !options.headers && !options.fetch))
    throw new KinoraError('The API key is missing: pass `apiKey`, or set KINORA_API_KEY.');
  // Without the key, which must not reach a log.
  if (apiKey !== null && !/^[!-~]*$/.test(apiKey))
    throw new KinoraError('The API key has characters that no key has: copy it again, without quotes and spaces.');
  if (apiKey !== null && isBrowser() && !options.dangerouslyAllowBrowser)
    throw new KinoraError('Each visitor of a page can read its API key. `dangerouslyAllowBrowser: true` accepts that.');
  return {
    apiKey,
    baseURL,
    timeoutMs: options.timeout ?? 60_000,
    maxRetries: options.maxRetries ?? 4,
    headers: options.headers ?? {},
    // Bound, because the `fetch` of a browser refuses another receiver than the window.
    fetch: options.fetch ?? fetch.bind(globalThis),
    logger: options.logger,
  };
}

/** Undefined where there is no environment, or no permission to read it (Deno). */
function environment(name: string): string | undefined {
  try {
    return globalThis.process?.env?.[name]?.trim() || undefined;
  } catch {
    return undefined;
  }
}
