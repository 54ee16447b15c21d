/** `nobody` and its group, on every Linux. */
const NOBODY = { uid: 65_534, gid: 65_534 };

export interface ServerUser {
  uid: number;
  gid: number;
}

/** PostgreSQL refuses to run as root, so root starts it as `nobody`; an ordinary user runs it directly. */
export function postgresUser(): ServerUser | null {
  return process.getuid?.() === 0 ? NOBODY : null;
}
