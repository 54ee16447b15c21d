import { createContext, type ReactNode, useContext } from 'react';
import type { Permission } from '../../api/operator';

/** What the role of the signed-in operator may do. The server decides; pages only leave out what it would refuse. */
export const Permissions = createContext<readonly Permission[]>([]);

export const useMay = (permission: Permission) => useContext(Permissions).includes(permission);

/** An action that the role includes, or nothing. */
export function Permitted({ to, children }: { to: Permission; children: ReactNode }) {
  return useMay(to) ? children : null;
}
