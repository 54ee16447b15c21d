import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { navigate } from '../router/navigation';
import { get, request, setCsrfToken, whenSignedOut } from './client';

/** The query that holds the session; every page depends on it. */
export const SESSION = ['session'];

interface AnySession {
  csrf_token: string | null;
}

/** The session of one half of the console. It is read again after a response of 401. */
export function useSession<Session extends AnySession>(path: string) {
  const client = useQueryClient();
  useEffect(() => whenSignedOut(() => void client.invalidateQueries({ queryKey: SESSION })), [client]);
  return useQuery({
    queryKey: SESSION,
    staleTime: 60_000,
    queryFn: async ({ signal }) => begin(client, await get<Session>(path, signal)),
  });
}

/** Opens a session, and shows its pages. @param home the page to go to, where the sign-in has a page of its own */
export function useSignIn(open: () => Promise<AnySession>, home?: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: open,
    onSuccess: async (session) => {
      // The answer to an earlier read would sign the browser out again.
      await client.cancelQueries({ queryKey: SESSION });
      client.setQueryData(SESSION, begin(client, session));
      if (home !== undefined) navigate(home, { replace: true });
    },
  });
}

/** What was read in another session is dropped: it may be of another account. A second tab may have changed the session. */
function begin<Session extends AnySession>(client: QueryClient, session: Session): Session {
  if (setCsrfToken(session.csrf_token))
    client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION[0] });
  return session;
}

/** @param path of the session @param home the page of the next sign-in */
export function useSignOut(path: string, home: string, onError: (error: unknown) => void): () => void {
  const client = useQueryClient();
  return () =>
    void request('DELETE', path)
      .then(() => client.invalidateQueries({ queryKey: SESSION }))
      .then(() => navigate(home), onError);
}

/** The token of a link that signs in; empty without one. */
export function useLinkToken(): string {
  const [token] = useState(() => new URLSearchParams(window.location.hash.slice(1)).get('token') ?? '');
  useEffect(() => {
    // The token leaves the address bar and the history at once.
    window.history.replaceState(null, '', window.location.pathname);
  }, []);
  return token;
}
