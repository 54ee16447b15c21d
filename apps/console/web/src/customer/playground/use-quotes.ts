import { useQueries } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { QuoteRequest } from '@kinora/client';
import type { Model, Quote } from '../../api/customer';
import { type Operation, quote } from '../../api/kinora-client';

export interface ModelRequest {
  operation: Operation;
  model: Model;
  body: Record<string, unknown>;
}

export interface QuoteState {
  quote: Quote | null;
  error: unknown;
  isPending: boolean;
}

/** A quote for each keystroke would use up the rate of the key. */
const SETTLE_MS = 350;
const IMAGES = new Set(['image', 'images']);
/** The API does not need the prompt for a price, but requires the field. */
const SOME_PROMPT = 'a prompt';

/** What each request would cost now, and whether it would be accepted. */
export function useQuotes(requests: readonly ModelRequest[]): QuoteState[] {
  const settled = useSettled(requests.map(quotedBody), SETTLE_MS);
  const results = useQueries({
    queries: settled.map((text) => ({
      queryKey: ['quote', text],
      // It is a read, although its method is POST.
      queryFn: () => quote(JSON.parse(text) as QuoteRequest),
      staleTime: 60_000,
      retry: false,
    })),
  });
  return requests.map((request, index) => {
    const result = results[index];
    const isCurrent = settled[index] === quotedBody(request);
    return {
      quote: (isCurrent && result?.data) || null,
      error: isCurrent ? (result?.error ?? null) : null,
      isPending: !isCurrent || (result?.isPending ?? true),
    };
  });
}

/** The quoted request as text. Images do not change the price, and may be left out. */
function quotedBody({ operation, body }: ModelRequest): string {
  const request = Object.fromEntries(Object.entries(body).filter(([name]) => !IMAGES.has(name)));
  return JSON.stringify({ operation, request: { ...request, prompt: body['prompt'] ?? SOME_PROMPT } });
}

function useSettled(texts: readonly string[], delayMs: number): readonly string[] {
  const [settled, setSettled] = useState(texts);
  const current = texts.join('\n');
  useEffect(() => {
    const timer = setTimeout(() => setSettled(current === '' ? [] : current.split('\n')), delayMs);
    return () => clearTimeout(timer);
  }, [current, delayMs]);
  return settled;
}
