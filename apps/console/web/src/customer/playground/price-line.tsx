import type { Model } from '../../api/customer';
import { Money } from '../../components/values';
import { formatQuantity } from '../../formatting/quantity';
import { formatDuration } from '../../formatting/time';
import styles from './playground.module.css';
import type { QuoteState } from './use-quotes';

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
