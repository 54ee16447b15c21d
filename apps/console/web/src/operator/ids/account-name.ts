import { useQuery } from '@tanstack/react-query';
import { get } from '../../api/client';
import { OPERATOR } from '../../api/operator';

interface Batch {
  ids: Set<string>;
  names: Promise<Record<string, string>>;
}

/** The ids that the links of a page have asked for, until their request leaves. */
let waiting: Batch | null = null;

/** Micro-batching: all links that a page renders at once share one request. */
async function findName(id: string): Promise<string | null> {
  waiting ??= startBatch();
  waiting.ids.add(id);
  return (await waiting.names)[id] ?? null;
}

function startBatch(): Batch {
  const ids = new Set<string>();
  const send = async () => {
    await new Promise((resolve) => setTimeout(resolve));
    waiting = null;
    return (await get<{ names: Record<string, string> }>(`${OPERATOR}/account-names?ids=${[...ids].join(',')}`)).names;
  };
  return { ids, names: send() };
}

/** The name of an account; undefined until it is known, and where billing does not answer. */
export const useAccountName = (id: string | null) =>
  useQuery({
    queryKey: ['account-name', id],
    queryFn: () => (id === null ? null : findName(id)),
    enabled: id !== null,
    staleTime: 5 * 60_000,
  }).data ?? undefined;
