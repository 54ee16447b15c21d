import { useSyncExternalStore } from 'react';
import { ApiError, request } from '../../api/client';

interface Waiting {
  resolve: () => void;
  reject: (error: Error) => void;
}

const listeners = new Set<() => void>();
let waiting: Waiting | null = null;

function set(next: Waiting | null): void {
  waiting = next;
  for (const listener of listeners) listener();
}

/** The action that waits for the password, if one does. */
export const useWaitingAction = () =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => waiting,
  );

export function confirmWaiting(): void {
  waiting?.resolve();
  set(null);
}

export function refuseWaiting(): void {
  waiting?.reject(new Error('The password was not given, so nothing was changed.'));
  set(null);
}

/** A change by the operator. Where the server wants the password again, it is asked for, and the change is repeated. */
export async function act<Answer>(
  method: 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body: unknown = {},
): Promise<Answer> {
  try {
    return await request<Answer>(method, path, { body });
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'confirmation_required') throw error;
    await new Promise<void>((resolve, reject) => set({ resolve, reject }));
    return request<Answer>(method, path, { body });
  }
}
