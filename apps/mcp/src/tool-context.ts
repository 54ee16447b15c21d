import type { Kinora } from '@kinora/client';

/** What the tools of one client work with. */
export interface ToolContext {
  kinora: Kinora;
  /** The folder whose images the client may name by their paths; null where it may name none. */
  imageFolder: string | null;
}

/** A call that the tools refuse before the API is asked; the message says what to do. */
export class ToolRefusal extends Error {}
