import type { UsageDetails } from '../../api/customer';
import type { Bar } from '../../components/bar-chart';
import { listDays, type Period, shortDay } from './period';

/** As many as a reader can tell apart; the rest are one part. */
const MODELS_SHOWN = 4;
const OTHERS = 'other models';

/** One bar for each day, of the models that have cost most in the period, in one order for all days. */
export function stackSpend(period: Period, spend: UsageDetails['spend']): Bar[] {
  const totals = new Map<string, number>();
  for (const { model, charged_micros } of spend) totals.set(model, (totals.get(model) ?? 0) + charged_micros);
  const dearest = [...totals].sort(([, left], [, right]) => right - left).map(([model]) => model);
  const shown = dearest.slice(0, MODELS_SHOWN);
  const names = dearest.length > MODELS_SHOWN ? [...shown, OTHERS] : shown;
  return listDays(period).map((day) => {
    const ofDay = spend.filter((group) => group.day === day);
    const parts = names.map((name) => ({
      name,
      value: sum(ofDay.filter(({ model }) => nameOf(model, shown) === name)),
    }));
    return { label: shortDay(day), value: sum(ofDay), parts };
  });
}

const nameOf = (model: string, shown: readonly string[]) => (shown.includes(model) ? model : OTHERS);
const sum = (groups: UsageDetails['spend']) => groups.reduce((total, { charged_micros }) => total + charged_micros, 0);
