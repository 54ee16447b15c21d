import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ApiError } from '@kinora/contracts/shared/errors';

export interface StackProcess {
  pid: number;
  health_url: string;
}

export interface Stack {
  nats_url: string;
  /** Of the API, and of the demo account; only in a local stack's file. */
  base_url?: string;
  api_key?: string;
  webhook_secret?: string;
  /** Where the console's pages are; only in a local stack's file. */
  console_url?: string;
  /** Where a local stack keeps its data and its logs. */
  data_dir?: string;
  /** By name; none if only the broker's address is known. */
  processes: Record<string, StackProcess>;
}

const DEFAULT_DATA_DIR = '.kinora';

/**
 * The stack of the data folder, or the one behind NATS_URL. A configured data folder takes precedence over NATS_URL,
 * which takes precedence over the default folder.
 * @throws ApiError capacity if neither exists.
 */
export function findStack(env: NodeJS.ProcessEnv): Stack {
  const file = path.resolve(env['KINORA_DATA_DIR'] || DEFAULT_DATA_DIR, 'stack.json');
  const natsUrl = env['NATS_URL'];
  const fromFile = env['KINORA_DATA_DIR'] || !natsUrl ? readStackFile(file) : null;
  if (fromFile) return fromFile;
  if (natsUrl) return { nats_url: natsUrl, processes: {} };
  throw new ApiError(
    'capacity',
    `No stack is running: there is no ${file}. Start one with npm start, or set KINORA_DATA_DIR or NATS_URL.`,
  );
}

function readStackFile(file: string): Stack | null {
  try {
    return { ...(JSON.parse(readFileSync(file, 'utf8')) as Stack), data_dir: path.dirname(file) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new ApiError(
      'capacity',
      `${file} cannot be read: ${error instanceof Error ? error.message : String(error)}.`,
    );
  }
}
