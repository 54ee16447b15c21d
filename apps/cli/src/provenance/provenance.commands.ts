import { readFileSync, statSync } from 'node:fs';
import type { Command } from 'commander';
import type { ProvenanceCheck } from '@kinora/contracts/moderation/provenance.rpc';
import { ApiError, type ErrorPayload } from '@kinora/contracts/shared/errors';
import type { CommandContext } from '../command-context';
import { formatFields } from '../output/report';
import type { StackClient } from '../stack/stack-client';

/** The largest video; the API has lower limits for images. */
const MAX_BYTES = 64 * 1024 * 1024;
const TIMEOUT_MS = 60_000;
const TYPES: readonly (readonly [type: string, begins: RegExp])[] = [
  ['image/png', /^\x89PNG/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/webp', /^RIFF.{4}WEBP/s],
  ['video/mp4', /^.{4}ftyp/s],
];

/** Adds the command that asks the API where a file comes from. */
export function addProvenanceCommands(program: Command, { stack, print }: CommandContext): void {
  program
    .command('provenance')
    .description('where files come from')
    .command('check')
    .argument('<file>', 'a PNG, JPEG, WebP or MP4')
    .option('--url <base>', 'another API, such as https://kinora.example/v1')
    .description('what the content credential of a file says, and whether this service has made it; needs no key')
    .action(async (file: string, { url }: { url?: string }) => {
      const check = await ask(url ?? baseUrlOf(stack), readFile(file));
      const { result, credential, match } = check;
      const facts = { result, ...prefixed('credential', credential), ...prefixed('match', match) };
      print({ value: check, text: formatFields(facts) });
    });
}

/** @throws ApiError invalid_body if only the broker of the stack is known */
function baseUrlOf(stack: StackClient): string {
  const { base_url } = stack.find();
  if (base_url === undefined)
    throw new ApiError('invalid_body', '--url is needed: the API of this stack is not known.', { param: 'url' });
  return base_url;
}

/** @throws ApiError invalid_body */
function readFile(file: string): { bytes: Buffer; type: string } {
  try {
    if (statSync(file).size > MAX_BYTES) throw new Error(`it is larger than ${MAX_BYTES} bytes`);
    const bytes = readFileSync(file);
    const [type] = TYPES.find(([, begins]) => begins.test(bytes.toString('latin1', 0, 12))) ?? [];
    if (type === undefined) throw new Error('it is no PNG, JPEG, WebP or MP4');
    return { bytes, type };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ApiError('invalid_body', `${file} cannot be checked: ${reason}.`, { param: 'file' });
  }
}

/** @throws ApiError what the API answers; capacity if it does not answer */
async function ask(baseUrl: string, { bytes, type }: { bytes: Buffer; type: string }): Promise<ProvenanceCheck> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const sent = { method: 'POST', headers: { 'Content-Type': type }, body: new Uint8Array(bytes), signal };
  const response = await fetch(`${baseUrl}/provenance/check`, sent).catch(() => null);
  if (!response) throw new ApiError('capacity', `The API at ${baseUrl} does not answer.`);
  const answer = (await response.json()) as ProvenanceCheck | { error: ErrorPayload };
  if ('error' in answer) throw ApiError.fromPayload(answer.error);
  return answer;
}

function prefixed(name: string, facts: object | null): Record<string, unknown> {
  if (facts === null) return { [name]: null };
  return Object.fromEntries(
    Object.entries(facts).map(([key, value]) => [`${name}.${key}`, Array.isArray(value) ? value.length : value]),
  );
}
