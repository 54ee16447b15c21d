import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import {
  ConnectionError,
  ContentBlockedError,
  InsufficientBalanceError,
  type Kinora,
  KinoraError,
  NotFoundError,
  RateLimitError,
} from '@kinora/client';

export interface ToolContext {
  kinora: Kinora;
  /** The folder whose images the client may name by their paths; null where it may name none. */
  imageFolder: string | null;
}

/** A call that the tools refuse before the API is asked; the message says what to do. */
export class ToolRefusal extends Error {}

/** The value as JSON, for the agent to read and for programs to use. */
export function toAnswer(value: Record<string, unknown>, more: CallToolResult['content'] = []): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(value, null, 2) }, ...more], structuredContent: value };
}

/** The answer, or the failure of the call with what to do next. Unknown errors show no internals. */
export async function answered(work: () => Promise<CallToolResult>): Promise<CallToolResult> {
  return await work().catch((error: unknown) => ({ isError: true, content: [{ type: 'text', text: textOf(error) }] }));
}

function textOf(error: unknown): string {
  if (error instanceof ToolRefusal) return error.message;
  if (!(error instanceof KinoraError))
    return 'The tool failed unexpectedly. Nothing is known to have been created. Try once more.';
  const repeat =
    error.idempotencyKey === null
      ? ''
      : ` To repeat this call without paying twice, pass idempotency_key "${error.idempotencyKey}".`;
  return `${error.code ?? error.name}${error.param === null ? '' : ` (${error.param})`}: ${error.message} ${nextStep(error)}${repeat}`;
}

function nextStep(error: KinoraError): string {
  if (error instanceof InsufficientBalanceError)
    return 'Tell the user that the balance does not suffice; see get_balance.';
  if (error instanceof ContentBlockedError) return 'Do not repeat it. Change the prompt or the image.';
  if (error instanceof NotFoundError)
    return 'Check the id; ids of jobs come from create_image, edit_image and create_video.';
  if (error instanceof RateLimitError || error.status === 503)
    return `Wait ${error.retryAfterSeconds ?? 5} seconds, then repeat the call.`;
  if (error instanceof ConnectionError) return 'The service could not be reached; repeat the call.';
  if (error.status === 401) return 'The API key is missing or wrong; the user must set it.';
  return error.status !== null && error.status < 500 ? 'Correct the arguments.' : 'Repeat the call later.';
}
