import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { get, setCsrfToken, whenSignedOut } from './client';

/** The query that holds the session; every page depends on it. */
export const SESSION = ['session'];

/** The session of one half of the console. A request that the server refuses for want of a session asks again. */
export function useSession<Session extends { csrf_token: string | null }>(path: string) {
  const client = useQueryClient();
  useEffect(() => whenSignedOut(() => void client.invalidateQueries({ queryKey: SESSION })), [client]);
  return useQuery({
    queryKey: SESSION,
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      const session = await get<Session>(path, signal);
      setCsrfToken(session.csrf_token);
      return session;
    },
  });
}
