import { readFileSync, statSync } from 'node:fs';
import type { Command } from 'commander';
import { jobsAdminRpc } from '@kinora/contracts/jobs/jobs-admin.rpc';
import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { RECEIPT_TYP } from '@kinora/contracts/jobs/receipt';
import { ApiError } from '@kinora/contracts/shared/errors';
import { isRecord } from '@kinora/contracts/shared/texts';
import { canonicalJson, InvalidJws, type PublicKey, verifyJws } from '@kinora/signatures';
import type { CommandContext } from '../command-context';
import { describe, formatFields, formatTable } from '../output/report';

/** A receipt and a key set are a few KiB. */
const MAX_BYTES = 1024 * 1024;
const TIMEOUT_MS = 10_000;

/** @throws ApiError invalid_body if the file cannot be read, is too large, or is not JSON */
function readJsonFile(file: string, argument: string): unknown {
  try {
    if (statSync(file).size > MAX_BYTES) throw new Error(`it is larger than ${MAX_BYTES} bytes`);
    return JSON.parse(readFileSync(file, 'utf8')) as unknown;
  } catch (error) {
    throw refusal(file, argument, error);
  }
}

/** From an https or http address, otherwise from a file. Redirects are not followed. @throws ApiError invalid_body */
async function readJsonFrom(place: string, argument: string): Promise<unknown> {
  if (!/^https?:\/\//i.test(place)) return readJsonFile(place, argument);
  try {
    const response = await fetch(place, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (!response.ok) throw new Error(`it answered ${response.status}`);
    return JSON.parse(await readText(response)) as unknown;
  } catch (error) {
    throw refusal(place, argument, error);
  }
}

async function readText({ body }: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of body ?? []) {
    bytes += (piece as Uint8Array).byteLength;
    if (bytes > MAX_BYTES) throw new Error(`it is larger than ${MAX_BYTES} bytes`);
    pieces.push(piece as Uint8Array);
  }
  return Buffer.concat(pieces).toString('utf8');
}

function refusal(place: string, param: string, error: unknown): ApiError {
  const reason = error instanceof Error ? error.message : String(error);
  return new ApiError('invalid_body', `${place} cannot be read as JSON: ${reason}.`, { param });
}

/** The result for one receipt; `problem` says why it proves nothing. */
export interface ReceiptVerdict {
  ok: boolean;
  job_id: string | null;
  /** The key that signed it. */
  kid: string | null;
  problem: string | null;
}

/**
 * Whether one of the keys has signed exactly what the receipt states. A valid signature over another payload than the shown one
 * proves nothing about the shown one.
 */
function verifyReceipt(receipt: unknown, jwks: unknown): ReceiptVerdict {
  const { jws, payload, job_id } = isRecord(receipt) ? receipt : {};
  const jobId = typeof job_id === 'string' ? job_id : null;
  const refuse = (problem: string, kid: string | null = null): ReceiptVerdict => {
    return { ok: false, job_id: jobId, kid, problem };
  };
  if (typeof jws !== 'string' || !isRecord(payload))
    return refuse('The file is not a receipt: jws or payload is missing.');
  try {
    const signed = verifyJws(jws, RECEIPT_TYP, keysOf(jwks));
    if (signed.payload !== canonicalJson(payload))
      return refuse('The payload of the file is not the one that was signed.', signed.kid);
    if (payload['job_id'] !== jobId)
      return refuse('The job_id of the file is not the one that was signed.', signed.kid);
    return { ok: true, job_id: jobId, kid: signed.kid, problem: null };
  } catch (error) {
    if (error instanceof InvalidJws) return refuse(error.message);
    throw error;
  }
}

/** The Ed25519 keys of a set. Other keys of the set are ignored (RFC 7517, 5). */
function keysOf(jwks: unknown): PublicKey[] {
  const keys: unknown = isRecord(jwks) ? jwks['keys'] : undefined;
  if (!Array.isArray(keys)) throw new InvalidJws('The key set is not a JWK set: keys is missing.');
  return keys.filter(isRecord).flatMap(({ kty, crv, kid, x }) => {
    const isEd25519 = kty === 'OKP' && crv === 'Ed25519' && typeof x === 'string' && /^[\w-]{43}$/.test(x);
    return isEd25519 && typeof kid === 'string' ? [{ kid, x }] : [];
  });
}

/** Adds the commands for receipts and for the keys that sign them. */
export function addReceiptCommands(program: Command, context: CommandContext): void {
  const receipt = program.command('receipt').description('signed receipts of ended jobs, and their keys');
  addVerify(receipt, context);
  addKeys(receipt, context);
}

/** Needs no stack: the keys come from an address or, offline, from a file. */
function addVerify(receipt: Command, { print }: CommandContext): void {
  receipt
    .command('verify')
    .argument('<file>', 'a receipt, as GET /v1/jobs/{id}/receipt answers it')
    .requiredOption('--jwks <url|file>', 'the public keys: https://…/.well-known/jwks.json, or a file with that set')
    .description('whether a key of the set has signed exactly this receipt; exits 1 if not')
    .action(async (file: string, { jwks }: { jwks: string }) => {
      const stated = readJsonFile(file, 'file');
      const verdict = verifyReceipt(stated, await readJsonFrom(jwks, '--jwks'));
      print({ value: verdict, text: formatFields(verdict), failed: !verdict.ok });
    });
}

function addKeys(receipt: Command, { stack, print }: CommandContext): void {
  receipt
    .command('keys')
    .description('the public keys of receipts, newest first, with those that were withdrawn')
    .action(async () => {
      const { keys } = await stack.request(jobsRpc.listReceiptKeys, { with_withdrawn: true });
      print({ value: { data: keys }, text: formatTable(keys, ['kid', 'created_at', 'withdrawn_at']) });
    });
  receipt
    .command('withdraw-key <kid>')
    .description(
      'publish a leaked key no more: receipts that it signed prove nothing; fetch them again for a new signature',
    )
    .action(async (kid: string) => print(describe(await stack.request(jobsAdminRpc.withdrawReceiptKey, { kid }))));
}
