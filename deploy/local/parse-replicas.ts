import { type Replicas, SERVICES, type ServiceName } from './service-instance';
import { StartProblem } from './start-problem';

const MOST_PROCESSES = 32;

/** Parses `gateway=4,jobs=2`. */
export function parseReplicas(text: string): Replicas {
  const parts = text.split(',').map((part) => part.trim());
  return Object.fromEntries(parts.filter((part) => part !== '').map(parseReplica));
}

function parseReplica(part: string): [ServiceName, number] {
  const [name, count] = part.split('=').map((piece) => piece.trim());
  const service = SERVICES.find((candidate) => candidate === name);
  // The sandbox keeps its jobs in memory: a second process would not find those of the first.
  if (service === undefined || service === 'sandbox') {
    const known = SERVICES.filter((candidate) => candidate !== 'sandbox').join(', ');
    throw new StartProblem(`KINORA_REPLICAS: "${part}" must be <service>=<count>, and the service one of ${known}.`);
  }
  if (!/^[1-9]\d?$/.test(count ?? '') || Number(count) > MOST_PROCESSES) {
    throw new StartProblem(`KINORA_REPLICAS: "${part}" must ask for 1 to ${MOST_PROCESSES} processes.`);
  }
  return [service, Number(count)];
}
