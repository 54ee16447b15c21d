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

/** The action that waits for the password; null if there is none. */
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

/** Sends a change. Where the server requires the password again, a dialog asks for it, and the change is sent once more. */
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
