import { useQueries } from '@tanstack/react-query';
import type { QuoteRequest } from '@kinora/client';
import { ApiError } from '../../api/client';
import type { Model, Quote } from '../../api/customer';
import { type Operation, quote } from '../../api/kinora-client';
import { useSettled } from '../../api/pages';
import { Money } from '../../components/values';
import { formatDuration, formatQuantity } from '../../formatting/format';
import styles from './playground.module.css';

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

interface PriceLineProps {
  chosen: readonly Model[];
  quotes: readonly QuoteState[];
  /** There is no price before an image is chosen. */
  needsImage: boolean;
}

/** What a click would cost, before it. */
export function PriceLine({ chosen, quotes, needsImage }: PriceLineProps) {
  const priced = quotes.flatMap(({ quote }) => (quote?.price ? [quote.price] : []));
  const total = priced.reduce((sum, { micros }) => sum + micros, 0);
  const [only] = quotes;
  const etas = quotes.flatMap(({ quote }) => quote?.eta_seconds ?? []);
  const left = only?.quote?.balance_after_micros ?? null;
  const isKnown = priced.length === quotes.length && quotes.length > 0;
  return (
    <div
      className={styles['price']}
      role="status"
      aria-label="Price"
      aria-busy={(!isKnown && !needsImage) || undefined}
    >
      <div className={styles['total']}>
        <span>Price</span>
        <strong>{isKnown ? <Money micros={total} /> : needsImage ? '–' : '…'}</strong>
      </div>
      <div className={styles['note']}>
        {!isKnown && needsImage && 'Follows from the size of the image.'}
        {isKnown && priced.length === 1 && priced[0] && formatQuantity(priced[0].quantity, priced[0].per)}
        {isKnown && chosen.length > 1 && `${chosen.length} models`}
        {isKnown && etas.length > 0 && ` · about ${formatDuration(Math.max(...etas) * 1000)}`}
        {isKnown && left !== null && priced.length === 1 && (
          <>
            {' '}
            · <Money micros={left} /> left after
          </>
        )}
      </div>
    </div>
  );
}
