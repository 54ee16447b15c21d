import { parseUrl } from '@kinora/contracts/shared/parse-url';

const DEFAULT_PORT = '4222';

/** Whom to connect to, and as whom; as the client's options are called. */
export interface NatsAddress {
  /** As `host:port`, without the credentials: these may be shown. */
  servers: string[];
  user?: string;
  pass?: string;
  token?: string;
}

/**
 * Reads addresses such as `nats://user:password@host:4222`, several of them separated by commas; a scheme may be left
 * out, and a user without a password is a token. The client itself understands neither lists nor credentials in a text,
 * and it has one batch of credentials for all servers: the first that are given.
 * @throws an error that shows nothing of the text, which may hold a password.
 */
export function parseNatsUrl(text: string): NatsAddress {
  const urls = text.split(',').map(toUrl);
  const servers = urls.map(({ hostname, port }) => `${hostname}:${port || DEFAULT_PORT}`);
  const login = urls.find(({ username }) => username !== '');
  return { servers, ...(login && toCredentials(login)) };
}

function toUrl(text: string): URL {
  const address = text.trim();
  const url = parseUrl(address.includes('://') ? address : `nats://${address}`);
  if (!url || url.hostname === '') throw unreadable();
  return url;
}

function toCredentials({ username, password }: URL): Omit<NatsAddress, 'servers'> {
  try {
    const name = decodeURIComponent(username);
    return password === '' ? { token: name } : { user: name, pass: decodeURIComponent(password) };
  } catch {
    throw unreadable();
  }
}

function unreadable(): Error {
  return new Error('NATS_URL: must be addresses such as nats://user:password@host:4222, separated by commas');
}
