import { readFile } from 'node:fs/promises';
import { SERVICES } from '../service-instance';
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

  it('give each service the port that the guide and the settings of VS Code name', async () => {
    const { inspectPorts } = parseDevArguments([...SERVICES]);
    const guide = await readFile('docs/contribute/loop.md', 'utf8');
    const listed = [...guide.matchAll(/`([\w-]+)`\s\((\d+)\)/g)].map(([, name, port]) => [name, Number(port)]);
    expect(Object.fromEntries(listed)).toEqual(inspectPorts);
    const { configurations } = JSON.parse(await readFile('.vscode/launch.json', 'utf8')) as {
      configurations: { name: string; port: number }[];
    };
    const attaching = configurations.flatMap(({ name, port }) => {
      const service = /npm run dev -- ([\w-]+)\)$/.exec(name)?.[1];
      return service === undefined ? [] : [[service, port]];
    });
    expect(Object.fromEntries(attaching)).toEqual(inspectPorts);
  });

  it.each([[[]], [['cli']], [['jobs,toString']]])('are refused with a list of the existing services: %j', (args) => {
    expect(() => parseDevArguments(args)).toThrow(StartProblem);
    expect(() => parseDevArguments(args)).toThrow('the services are gateway, jobs, billing');
  });
});
