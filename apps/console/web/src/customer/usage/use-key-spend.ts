import { useQuery } from '@tanstack/react-query';
import { get } from '../../api/client';
import type { KeySpendList } from '../../api/console-lists';
import { API } from '../../api/customer';

/** What each key has spent in the last days, in UTC and today included. */
export const useKeySpend = (days: number) =>
  useQuery({
    queryKey: ['key-spend', days],
    queryFn: ({ signal }) => get<KeySpendList>(`${API}/key-spend?days=${days}`, signal),
  });
