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

/** @returns whether it is another session than before */
export function setCsrfToken(token: string | null): boolean {
  const isOther = token !== csrfToken;
  csrfToken = token;
  return isOther;
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
  const init: RequestInit = { method, headers };
  if (body !== undefined) init.body = JSON.stringify(body);
  if (signal) init.signal = signal;
  const response = await sessionFetch(path, init);
  const text = await response.text();
  if (!response.ok) throw errorOf(response, text);
  return (text === '' ? null : JSON.parse(text)) as Answer;
}

/** `fetch` with the token of the session. A 401 response reports that the session has ended. */
export async function sessionFetch(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  if (!READING.has(init.method ?? 'GET') && csrfToken !== null) headers.set('X-CSRF-Token', csrfToken);
  const sent: RequestInit = { ...init, headers, credentials: 'same-origin', redirect: 'error' };
  const response = await fetch(input, sent).catch((error: unknown) => {
    if (init.signal?.aborted) throw error;
    throw new ApiError('The console cannot be reached. Check the connection, then try again.', 0, 'unreachable');
  });
  if (response.status === 401) for (const callback of onSignedOut) callback();
  return response;
}

/** Sends a file as the body, under its own media type. */
export async function postFile<Answer>(path: string, file: Blob): Promise<Answer> {
  const headers = { Accept: 'application/json', 'Content-Type': file.type };
  const response = await sessionFetch(path, { method: 'POST', headers, body: file });
  const text = await response.text();
  if (!response.ok) throw errorOf(response, text);
  return JSON.parse(text) as Answer;
}

export const get = <Answer>(path: string, signal?: AbortSignal) =>
  request<Answer>('GET', path, signal ? { signal } : {});
export const post = <Answer>(path: string, body: unknown = {}, headers: Record<string, string> = {}) =>
  request<Answer>('POST', path, { body, headers });

function errorOf(response: Response, text: string): ApiError {
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
