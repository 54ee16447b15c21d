import { isIP } from 'node:net';
import { registerDecorator } from 'class-validator';
import ipaddr from 'ipaddr.js';
import { parseUrl } from '@kinora/contracts/shared/texts';

type Network = ReturnType<typeof ipaddr.parseCIDR>;

const MAX_PORT = 65_535;

/** What an operator permits although it is not public: endpoints as `host:port`, networks as CIDR. */
export class EgressAllowList {
  static readonly NOTHING = new EgressAllowList(new Set(), []);

  private constructor(
    private readonly endpoints: ReadonlySet<string>,
    private readonly networks: readonly Network[],
  ) {}

  /** Reads a comma list. @throws RangeError that names the first entry that is neither. */
  static parse(text: string): EgressAllowList {
    const endpoints = new Set<string>();
    const networks: Network[] = [];
    for (const entry of text.split(',').map((part) => part.trim())) {
      if (entry === '') continue;
      if (ipaddr.isValidCIDR(entry)) networks.push(ipaddr.parseCIDR(entry));
      else endpoints.add(readEndpoint(entry));
    }
    return new EgressAllowList(endpoints, networks);
  }

  /** Whether exactly this host and port are listed; the host as in a URL, IPv6 in brackets. */
  allowsEndpoint(host: string, port: number): boolean {
    return this.endpoints.has(`${host}:${port}`);
  }

  /** Whether an address lies in a listed network. */
  allowsAddress(address: string): boolean {
    if (isIP(address) === 0) return false;
    const parsed = ipaddr.process(address);
    return this.networks.some((network) => parsed.kind() === network[0].kind() && parsed.match(network));
  }
}

function readEndpoint(entry: string): string {
  const [, host, port] = /^(.+):(\d{1,5})$/.exec(entry) ?? [];
  const url = parseUrl(`https://${host}`);
  if (host === undefined || Number(port) > MAX_PORT || !url) {
    throw new RangeError(`${entry} is neither host:port nor a network in CIDR notation`);
  }
  // The host is spelt as a URL spells it, so that `LOCALHOST` and `[0:0:0:0:0:0:0:1]` match.
  return `${url.hostname}:${Number(port)}`;
}

/**
 * Parses a setting into an EgressAllowList that must be empty in production, where no private network may be reachable.
 */
export function IsEgressAllow(): PropertyDecorator {
  return (prototype, property) =>
    registerDecorator({
      name: 'isEgressAllow',
      target: prototype.constructor,
      propertyName: String(property),
      validator: {
        validate: (value, validation) => findProblem(value, validation?.object) === null,
        defaultMessage: (validation) => findProblem(validation?.value, validation?.object) ?? '',
      },
    });
}

function findProblem(value: unknown, config: unknown): string | null {
  if (typeof value !== 'string') return 'must be a comma list of host:port or CIDR';
  try {
    EgressAllowList.parse(value);
  } catch (error) {
    return (error as RangeError).message;
  }
  return value !== '' && isProduction(config) ? 'is for development and refused in production' : null;
}

function isProduction(config: unknown): boolean {
  return typeof config === 'object' && config !== null && 'profile' in config && config.profile === 'production';
}
