import type { Session } from '../../session/sessions';

/** The API key with which a session's requests go to the gateway. */
export function credentialOf({ credential }: Session): string {
  if (credential === null) throw new Error('The session has no API key: it is not one of a customer.');
  return credential;
}
