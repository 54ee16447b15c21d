/** An error response, or a request that got none (status 0). */
export class ApiError extends Error {
  constructor(
    message: string,
    readonly status: number,
    readonly code: string,
    readonly param: string | null = null,
    readonly requestId: string | null = null,
  ) {
    super(message);
  }
}

interface Options {
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

const READING = new Set(['GET', 'HEAD']);
/** Every write carries the token of the session; a page of another origin cannot read it. */
let csrfToken: string | null = null;
const onSignedOut = new Set<() => void>();

export function setCsrfToken(token: string | null): void {
  csrfToken = token;
}

/** Calls back when the server no longer knows the session. */
export function whenSignedOut(callback: () => void): () => void {
  onSignedOut.add(callback);
  return () => onSignedOut.delete(callback);
}

export async function request<Answer>(method: string, path: string, options: Options = {}): Promise<Answer> {
  const { body, signal } = options;
  const headers: Record<string, string> = { Accept: 'application/json', ...options.headers };
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  if (!READING.has(method) && csrfToken !== null) headers['X-CSRF-Token'] = csrfToken;
  const init: RequestInit = { method, headers, credentials: 'same-origin', redirect: 'error' };
  if (body !== undefined) init.body = JSON.stringify(body);
  if (signal) init.signal = signal;
  const response = await fetch(path, init).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new ApiError('The console cannot be reached. Check the connection, then try again.', 0, 'unreachable');
  });
  const text = await response.text();
  if (!response.ok) throw errorOf(response, text);
  return (text === '' ? null : JSON.parse(text)) as Answer;
}

export const get = <Answer>(path: string, signal?: AbortSignal) =>
  request<Answer>('GET', path, signal ? { signal } : {});
export const post = <Answer>(path: string, body: unknown = {}, headers: Record<string, string> = {}) =>
  request<Answer>('POST', path, { body, headers });

function errorOf(response: Response, text: string): ApiError {
  if (response.status === 401) for (const callback of onSignedOut) callback();
  const error = parseError(text);
  const requestId = error?.request_id ?? response.headers.get('x-request-id');
  const message = error?.message ?? `The server answered ${response.status}.`;
  return new ApiError(message, response.status, error?.code ?? 'unknown', error?.param ?? null, requestId);
}

interface ErrorBody {
  message?: string;
  code?: string;
  param?: string | null;
  request_id?: string;
}

/** A proxy in between may answer a page. */
function parseError(text: string): ErrorBody | null {
  try {
    return (JSON.parse(text) as { error?: ErrorBody }).error ?? null;
  } catch {
    return null;
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
