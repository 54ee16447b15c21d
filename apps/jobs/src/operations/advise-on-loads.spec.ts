import { HOUR_MS, type InstanceHour } from '../scheduling/instance-hours.repository';
import { adviseOnLoads } from './advise-on-loads';

function hour(provider: string, loading: number, running: number): InstanceHour {
  const [loading_ms, running_ms] = [loading * HOUR_MS, running * HOUR_MS];
  const idle_ms = HOUR_MS - loading_ms - running_ms;
  return { provider, running_ms, loading_ms, idle_ms, unknown_ms: 0, loads: 30, templates: 3 };
}

describe('the advice for an instance that loads', () => {
  it('is none up to 30 % of its time', () => {
    expect(adviseOnLoads(hour('gpu-a', 0.3, 0.7), [])).toBeNull();
  });

  it('says why, and names another instance that has time', () => {
    const busy = hour('gpu-a', 0.41, 0.5);
    expect(adviseOnLoads(busy, [busy, hour('gpu-b', 0, 0.1)])).toBe(
      'It spent 41 % of the last hour loading: 30 loads of 3 models. A route of one of them to gpu-b, which was idle most of the time, would help.',
    );
  });

  it('is another instance if all are busy, and otherwise a longer bound', () => {
    const busy = hour('gpu-a', 0.5, 0.5);
    expect(adviseOnLoads(busy, [busy])).toContain('Another instance');
    expect(adviseOnLoads(hour('gpu-a', 0.4, 0.3), [])).toContain('KINORA_STAY_LOADS');
  });
});
