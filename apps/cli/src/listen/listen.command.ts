import { setTimeout as delay } from 'node:timers/promises';
import { ApiError } from '@kinora/contracts/shared/errors';
import { parseUrl } from '@kinora/contracts/shared/parse-url';
import type { Command } from 'commander';
import type { CommandContext } from '../command-context';
import { positiveIntegerOf } from '../option-values';
import { describe } from '../output/report';
import type { StackClient } from '../stack/stack-client';
import { EndedJobs } from './ended-jobs';
import { forwardEvent } from './forward-event';
import { PublicApi } from './public-api';

/** Uses half of a key's default rate, so that the rest is available to other requests of the developer. */
const POLL_INTERVAL_MS = 2_000;

interface ListenOptions {
  forwardTo: string;
  baseUrl?: string;
  apiKey?: string;
  secret?: string;
  count?: number;
}

/**
 * Forwards events to a receiver that the service cannot reach, such as one on a laptop: it polls the API and sends the
 * webhooks itself.
 */
export function addListenCommand(program: Command, { stack, print, printNotice }: CommandContext): void {
  program
    .command('listen')
    .requiredOption('--forward-to <url>', 'where events go; http is accepted')
    .option('--base-url <url>', 'address of the API, up to /v1; default: that of the running stack')
    .option('--api-key <key>', "key of the account; default: the demo account's")
    .option('--secret <secret>', "secret to sign with; default: the demo account's")
    .option('--count <n>', 'stop after this many events', positiveIntegerOf('--count'))
    .description("forward the events of an account's jobs that end from now on, newly signed")
    .action(async (options: ListenOptions) => {
      const { count = Infinity } = options;
      const url = readTarget(options.forwardTo);
      const { baseUrl, apiKey, secret } = findAccount(options, stack);
      const api = new PublicApi(baseUrl, apiKey);
      const ended = new EndedJobs(api, await api.now());
      printNotice(`Forwarding to ${url}.`);
      let forwarded = 0;
      while (forwarded < count) {
        for (const job of await pollWithRetry(ended, printNotice)) {
          printNotice(await forwardEvent(job, { url, secret }));
          forwarded += 1;
        }
        if (forwarded < count) await delay(POLL_INTERVAL_MS);
      }
      print(describe({ forwarded }));
    });
}

/** An API that is unavailable or refuses for its rate limit is polled again at the next interval. */
async function pollWithRetry(
  ended: EndedJobs,
  printNotice: CommandContext['printNotice'],
): ReturnType<EndedJobs['poll']> {
  try {
    return await ended.poll();
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'capacity') throw error;
    printNotice(error.message);
    return [];
  }
}

/** Adds a missing scheme: the parser would read `localhost:3000/hook` as a URL of the scheme `localhost`. */
function readTarget(text: string): string {
  const url = parseUrl(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`);
  if (url && (url.protocol === 'http:' || url.protocol === 'https:')) return url.href;
  throw new ApiError('invalid_body', '--forward-to must be an http or https URL, such as http://localhost:3000/.', {
    param: '--forward-to',
  });
}

function findAccount(
  { baseUrl, apiKey, secret }: ListenOptions,
  stack: StackClient,
): { baseUrl: string; apiKey: string; secret: string } {
  if (baseUrl !== undefined && apiKey !== undefined && secret !== undefined) return { baseUrl, apiKey, secret };
  const { base_url = '', api_key = '', webhook_secret = '' } = stack.find();
  const found = { baseUrl: baseUrl ?? base_url, apiKey: apiKey ?? api_key, secret: secret ?? webhook_secret };
  if (Object.values(found).includes(''))
    throw new ApiError('invalid_body', 'Without a local stack, --base-url, --api-key and --secret must be given.');
  return found;
}
