import { keepPreviousData, type QueryKey, useQuery, type UseQueryOptions } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { queryString } from '../formatting/format';
import { get } from './client';

/** What the backend answers at the path. */
export const useGet = <Answer, Selected = Answer>(
  queryKey: QueryKey,
  path: string,
  options: Omit<UseQueryOptions<Answer, Error, Selected>, 'queryKey' | 'queryFn'> = {},
) => useQuery({ queryKey, queryFn: ({ signal }) => get<Answer>(path, signal), ...options });

/** A request for each keystroke would use up the account's rate limit. */
const SETTLE_MS = 300;

/** The text as soon as it has not changed for a moment. */
export function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

export interface Page<Item> {
  data: Item[];
  has_more: boolean;
  next_cursor: string | null;
}

export interface Pages<Item, Answer = Page<Item>> {
  items: Item[];
  /** What the items were answered with. */
  answer: Answer | undefined;
  number: number;
  hasNext: boolean;
  hasPrevious: boolean;
  isPending: boolean;
  isFetching: boolean;
  error: unknown;
  next: () => void;
  previous: () => void;
  refetch: () => void;
}

interface PagesOptions {
  limit?: number;
  refetchMs?: number;
  enabled?: boolean;
}

/** One page of a list at a time. Pages are reached by the cursors of those before, so any number of rows costs the same. */
export function usePages<Item, Answer extends Page<Item> = Page<Item>>(
  path: string,
  params: Record<string, string | number | null | undefined> = {},
  { limit = 25, refetchMs, enabled = true }: PagesOptions = {},
): Pages<Item, Answer> {
  const given = queryString(params);
  const filter = useSettled(given);
  const [position, setPosition] = useState<{ filter: string; cursors: string[] }>({ filter, cursors: [] });
  // Another filter begins on its first page.
  const cursors = position.filter === filter ? position.cursors : [];
  const cursor = cursors.at(-1) ?? null;
  const query = useQuery({
    queryKey: [path, filter, limit, cursor],
    queryFn: ({ signal }) => get<Answer>(path + withPage(filter, { limit, cursor }), signal),
    placeholderData: keepPreviousData,
    enabled,
    refetchInterval: refetchMs !== undefined && cursor === null ? refetchMs : false,
  });
  const nextCursor = query.data?.next_cursor ?? null;
  return {
    items: query.data?.data ?? [],
    answer: query.data,
    number: cursors.length + 1,
    hasNext: (query.data?.has_more ?? false) && nextCursor !== null,
    hasPrevious: cursors.length > 0,
    isPending: query.isPending && enabled,
    isFetching: query.isFetching || filter !== given,
    error: query.error,
    next: () => nextCursor !== null && setPosition({ filter, cursors: [...cursors, nextCursor] }),
    previous: () => setPosition({ filter, cursors: cursors.slice(0, -1) }),
    refetch: () => void query.refetch(),
  };
}

const withPage = (filter: string, page: { limit: number; cursor: string | null }) =>
  queryString({ ...Object.fromEntries(new URLSearchParams(filter)), ...page });
