/** Folders and single servers on small disks; or a bucket, and a cluster of three NATS servers. */
const INSTALLATIONS = ['single', 'clustered'] as const;
export type Installation = (typeof INSTALLATIONS)[number];

/** The NATS servers of each. */
export const SERVERS = { single: ['nats'], clustered: ['n1', 'n2', 'n3'] } as const;
/** What lies on a small disk of its own in the single one. */
export const DISKS = ['postgres', 'objects'] as const;

/** A stack takes long to start, so ten seeds share one. */
const SEEDS_EACH = 10;

export function installationOf(seed: number): Installation {
  return INSTALLATIONS[Math.floor((seed - 1) / SEEDS_EACH) % INSTALLATIONS.length] ?? 'single';
}
