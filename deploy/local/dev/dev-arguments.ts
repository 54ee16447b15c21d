import { parseArgs } from 'node:util';
import type { Development } from '../launcher';
import { SERVICES, type ServiceName } from '../service-instance';
import { StartProblem } from '../start-problem';

/** Port 9229 stays free for `kill -USR1`, which opens it in a process without a debugger port. */
const FIRST_INSPECT_PORT = '9230';
const USAGE = `npm run dev -- <services>, for example npm run dev -- jobs,billing; the services are ${SERVICES.join(', ')}.`;

export interface DevArguments {
  services: ServiceName[];
  inspectPorts: Development['inspectPorts'];
}

/** A service has the same debugger port in every run, so that editor settings can contain it. */
export function parseDevArguments(args: string[]): DevArguments {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { 'inspect-from': { type: 'string', default: FIRST_INSPECT_PORT } },
  });
  const named = positionals.flatMap((names) => names.split(',')).filter((name) => name !== '');
  const unknown = named.filter((name) => !SERVICES.some((service) => service === name));
  if (unknown.length > 0) throw new StartProblem(`There is no service ${unknown.join(', ')}. ${USAGE}`);
  const services = SERVICES.filter((service) => named.includes(service));
  if (services.length === 0) throw new StartProblem(`No service is named. ${USAGE}`);
  const first = Number(values['inspect-from']);
  return {
    services,
    inspectPorts: Object.fromEntries(services.map((service) => [service, first + SERVICES.indexOf(service)])),
  };
}
