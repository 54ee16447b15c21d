import { Counter } from '@kinora/metrics';

export const storedRequests = new Counter({
  name: 'kinora_console_stored_requests_total',
  help: 'Requests of the request log, by outcome: stored, or dropped because the database was too slow or away. Each process of the operators’ half counts every request.',
  labelNames: ['outcome'],
});
