/** What is kept of an answer, in bytes of UTF-8. */
export const EXCERPT_MAX_BYTES = 1024;
const REDACTED = '[redacted]';
/** All but tab and line feed; U+0000 cannot be stored, and others can forge lines in a terminal. */
const CONTROL_CHARACTERS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const SIGNATURE = /[0-9a-f]{64}/g;

/**
 * The beginning of a receiver's answer as text that is harmless to store and to show: valid UTF-8, bounded, without control
 * characters, and without the secrets and the signatures of this attempt. A receiver can send all that back.
 * @param secrets webhook secrets, and the header with the signatures
 */
export function toExcerpt(body: Buffer, secrets: readonly string[]): string {
  const hidden = secrets
    .flatMap((secret) => [secret, ...(secret.match(SIGNATURE) ?? [])])
    .filter((text) => text !== '');
  let text = new TextDecoder().decode(body);
  // Before the cut, which could leave the beginning of a secret.
  for (const secret of hidden) text = text.replaceAll(secret, REDACTED);
  return cut(text.replaceAll(CONTROL_CHARACTERS, '\ufffd'));
}

/** Cut between characters: an incomplete one at the end is left out. */
function cut(text: string): string {
  const bytes = Buffer.from(text, 'utf8').subarray(0, EXCERPT_MAX_BYTES);
  return new TextDecoder('utf-8').decode(bytes, { stream: true });
}
