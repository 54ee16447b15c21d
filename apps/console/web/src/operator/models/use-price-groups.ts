import { OPERATOR, type PriceChange } from '../../api/operator';
import { useGet } from '../../api/pages';

export const useGroups = () => useGet<{ data: PriceChange[] }>(['price-groups'], `${OPERATOR}/price-groups`);

/** The groups as options of a field, after the price list. */
export function usePriceGroups(): (readonly [value: string, label: string])[] {
  const { data } = useGroups();
  const names = data?.data.map(({ price_group: name }) => name ?? '') ?? [];
  return [['', 'the price list'], ...names.map((name) => [name, name] as const)];
}
