import { Kinora, KinoraError } from '@kinora/client';
import type { ImageEdit, ImageGeneration, Job, Quote, QuoteRequest, VideoGeneration } from '@kinora/client';
import { ApiError, sessionFetch } from './client';
import { API } from './customer';

export type Operation = QuoteRequest['operation'];

/** Sends with the session of the console, which takes the place of a key. */
const kinora = new Kinora({ apiKey: null, baseURL: API, fetch: sessionFetch });

interface Creation {
  operation: Operation;
  /** As filled in: the API names the field that is wrong. */
  body: Record<string, unknown>;
  quoteId: string | null;
  idempotencyKey: string;
}

/** One job, also where the answer is lost and the client repeats the request. */
export async function createJob({ operation, body, quoteId, idempotencyKey }: Creation): Promise<Job> {
  const options = { idempotencyKey, quote: quoteId ?? undefined };
  const sent: unknown = body;
  return await orApiError(
    operation === 'images.generations'
      ? kinora.images.create(sent as ImageGeneration, options)
      : operation === 'images.edits'
        ? kinora.images.createEdit(sent as ImageEdit, options)
        : kinora.videos.create(sent as VideoGeneration, options),
  );
}

/** A later change of the form asks again, so a failure is shown at once. */
export async function quote(request: QuoteRequest): Promise<Quote> {
  return await orApiError(kinora.quotes.create(request, { maxRetries: 0 }));
}

/** Forms and messages of the pages read the errors of `client.ts`. */
async function orApiError<Answer>(answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof KinoraError) || error.cause instanceof ApiError) throw causeOf(error);
    throw new ApiError(error.message, error.status ?? 0, error.code ?? 'unknown', error.param, error.requestId);
  }
}

function causeOf(error: unknown): unknown {
  return error instanceof KinoraError ? error.cause : error;
}
