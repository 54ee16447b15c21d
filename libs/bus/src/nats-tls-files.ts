/** PEM files for TLS to the broker, under the names of the client's options. An empty name means none. */
export interface NatsTlsFiles {
  /** The authority that signed the servers' certificates; without it, those that the process trusts. */
  caFile?: string;
  /** The client's certificate. */
  certFile?: string;
  /** The key of that certificate. */
  keyFile?: string;
}

/** From the variables that NATS' own command reads as well: NATS_CA, NATS_CERT and NATS_KEY. */
export function natsTlsFilesIn(env: NodeJS.ProcessEnv): NatsTlsFiles {
  return { caFile: env['NATS_CA'] ?? '', certFile: env['NATS_CERT'] ?? '', keyFile: env['NATS_KEY'] ?? '' };
}
