import { StartProblem } from '../start-problem';
import { parseDevArguments } from './dev-arguments';

describe('arguments of npm run dev', () => {
  it('name services, separated by commas or spaces, each with its own debugger port', () => {
    expect(parseDevArguments(['billing,jobs', 'gateway'])).toEqual({
      services: ['gateway', 'jobs', 'billing'],
      inspectPorts: { gateway: 9230, jobs: 9231, billing: 9232 },
    });
  });

  it('move the ports if another stack uses them', () => {
    expect(parseDevArguments(['jobs', '--inspect-from', '9300']).inspectPorts).toEqual({ jobs: 9301 });
  });

  it.each([[[]], [['cli']], [['jobs,toString']]])('are refused with a list of the existing services: %j', (args) => {
    expect(() => parseDevArguments(args)).toThrow(StartProblem);
    expect(() => parseDevArguments(args)).toThrow('the services are gateway, jobs, billing');
  });
});
