import { useQueries } from '@tanstack/react-query';
import type { QuoteRequest } from '@kinora/client';
import { ApiError } from '../../api/client';
import type { Model, Quote } from '../../api/customer';
import { type Operation, quote } from '../../api/kinora-client';
import { useSettled } from '../../api/use-settled';

export interface ModelRequest {
  operation: Operation;
  model: Model;
  /** The body for the quote, without the content of its images. */
  quoted: Record<string, unknown>;
}

export interface QuoteState {
  quote: Quote | null;
  error: unknown;
}

/** A quote is valid for ten minutes. */
const REFRESH_MS = 5 * 60_000;
const RETRY_MS = 5_000;
/** The API does not need the prompt for a price, but requires the field. */
const SOME_PROMPT = 'a prompt';

/** What each request would cost now, and whether it would be accepted. */
export function useQuotes(requests: readonly ModelRequest[]): QuoteState[] {
  const settled = useSettled(requests.map(quotedBody).join('\n')).split('\n');
  const results = useQueries({
    queries: settled.map((text) => ({
      queryKey: ['quote', text],
      // It is a read, although its method is POST.
      queryFn: () => quote(JSON.parse(text) as QuoteRequest),
      enabled: text !== '',
      staleTime: 60_000,
      retry: false,
      refetchInterval: ({ state }: { state: { error: unknown } }) => (isTemporary(state.error) ? RETRY_MS : REFRESH_MS),
    })),
  });
  return requests.map((request, index) => {
    const result = results[index];
    const isCurrent = settled[index] === quotedBody(request);
    return { quote: (isCurrent && result?.data) || null, error: isCurrent ? (result?.error ?? null) : null };
  });
}

/** A lost connection, an exceeded rate, or an overload. */
const isTemporary = (error: unknown) => error instanceof ApiError && (error.status === 0 || error.status >= 429);

/** Whether there is no price without an image, because the size follows from it and the price from the size. */
export function needsImage({ quote }: QuoteState): boolean {
  return quote?.price === null && quote.refusals.some(({ param }) => param === 'image' || param === 'size');
}

function quotedBody({ operation, quoted }: ModelRequest): string {
  return JSON.stringify({ operation, request: { ...quoted, prompt: quoted['prompt'] ?? SOME_PROMPT } });
}
