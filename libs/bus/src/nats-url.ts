import { parseUrl } from '@kinora/contracts/shared/texts';

const DEFAULT_PORT = '4222';
const SCHEMES = ['nats:', 'tls:'];

/** Servers and credentials, these under the names of the client's options. */
export interface NatsAddress {
  /** As `host:port`, without the credentials: these may be logged. */
  servers: string[];
  user?: string;
  pass?: string;
  token?: string;
  /** Whether one of the addresses is `tls://`. Then the client connects to every server by TLS or not at all. */
  isTls: boolean;
}

/**
 * Parses addresses such as `nats://user:password@host:4222`, several of them separated by commas. The scheme is optional, and a
 * user without a password is a token. The client itself accepts neither lists nor credentials in an address, and ignores the
 * scheme. It has one set of credentials for all servers: the first ones given.
 * @throws an error that quotes nothing of the text, which may hold a password.
 */
export function parseNatsUrl(text: string): NatsAddress {
  const urls = text.split(',').map(toUrl);
  const servers = urls.map(({ hostname, port }) => `${hostname}:${port || DEFAULT_PORT}`);
  const login = urls.find(({ username }) => username !== '');
  return { servers, isTls: urls.some(({ protocol }) => protocol === 'tls:'), ...(login && toCredentials(login)) };
}

function toUrl(text: string): URL {
  const address = text.trim();
  const url = parseUrl(address.includes('://') ? address : `nats://${address}`);
  if (!url || url.hostname === '' || !SCHEMES.includes(url.protocol)) throw unreadable();
  return url;
}

function toCredentials({ username, password }: URL): Omit<NatsAddress, 'servers' | 'isTls'> {
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
