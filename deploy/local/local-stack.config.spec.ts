import { readLocalStackSettings, parseReplicas } from './local-stack.config';
import { StartProblem } from './start-problem';

describe('settings of the local stack', () => {
  it('name the invalid variable', () => {
    expect(() => readLocalStackSettings({ KINORA_PORT: 'http' })).toThrow(StartProblem);
    expect(() => readLocalStackSettings({ KINORA_PORT: 'http' })).toThrow(/^KINORA_PORT: /);
  });
});

describe('parse replicas', () => {
  it('reads a count for each named service', () => {
    expect(parseReplicas('gateway=4, jobs=2')).toEqual({ gateway: 4, jobs: 2 });
    expect(parseReplicas('')).toEqual({});
  });

  it.each(['gatway=2', 'sandbox=2', 'jobs', 'jobs=', 'jobs=0', 'jobs=1.5', 'jobs=33', 'jobs=2x'])(
    'refuses %s and names the expected format',
    (text) => {
      expect(() => parseReplicas(text)).toThrow(StartProblem);
      expect(() => parseReplicas(text)).toThrow(`KINORA_REPLICAS: "${text}" must`);
    },
  );
});
