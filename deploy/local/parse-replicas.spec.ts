import { parseReplicas } from './local-stack.config';
import { StartProblem } from './start-problem';

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
