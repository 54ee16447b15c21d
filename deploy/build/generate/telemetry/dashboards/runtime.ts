import { type Dashboard, gauge, lines, quantile, rate } from './panel';

const HANDLERS = 'kinora_bus_handler_duration_seconds';
const REQUESTS = 'kinora_bus_request_duration_seconds';
const STORE = 'kinora_object_store_operation_duration_seconds';

export const RUNTIME: Dashboard = {
  uid: 'kinora-runtime',
  title: 'Kinora: runtime',
  description: 'Processes, the bus between them, and the stores below them.',
  rows: [
    {
      title: 'Bus',
      panels: [
        lines('Requests handled', 'reqps', 'Per second, by subject.', [
          { expr: `sum by (subject) (${rate(`${HANDLERS}_count`)})`, legend: '{{subject}}' },
        ]),
        lines('Failing handlers', 'reqps', 'Failed answers per second; errors of callers are not included.', [
          {
            expr: `sum by (job, subject) (${rate(`${HANDLERS}_count`, 'outcome="failed"')})`,
            legend: '{{job}} {{subject}}',
          },
        ]),
        lines('Latency of handlers', 's', '99%, by subject.', [
          { expr: quantile(0.99, HANDLERS, ['subject']), legend: '{{subject}}' },
        ]),
        lines('Failing requests', 'reqps', 'As measured by the callers, with timeouts.', [
          {
            expr: `sum by (job, subject) (${rate(`${REQUESTS}_count`, 'outcome="failed"')})`,
            legend: '{{job}} {{subject}}',
          },
        ]),
        lines('Latency of requests', 's', '99%, as measured by the callers.', [
          { expr: quantile(0.99, REQUESTS, ['subject']), legend: '{{subject}}' },
        ]),
        lines('Requests per message', 'none', 'The average over contracts that use batches: it grows with the load.', [
          {
            expr: `sum by (subject) (${rate('kinora_bus_requests_per_message_sum')}) / (sum by (subject) (${rate('kinora_bus_requests_per_message_count')}) > 0)`,
            legend: '{{subject}}',
          },
        ]),
        lines('Messages under way', 'none', 'At 2,000 a process refuses further ones.', [
          { expr: `max by (job) (${gauge('kinora_bus_messages_under_way')})`, legend: '{{job}}' },
        ]),
        lines('Requests of clients in flight', 'none', 'At the gateways.', [
          { expr: `sum(${gauge('kinora_http_requests_in_flight')})`, legend: 'requests' },
        ]),
        lines('Waiting requests', 'none', 'Requests with Prefer: wait that the gateways hold.', [
          { expr: `sum(${gauge('kinora_http_waiting_requests')})`, legend: 'requests' },
        ]),
        lines('Event streams', 'none', 'Open at the gateways.', [
          { expr: `sum(${gauge('kinora_http_event_streams')})`, legend: 'streams' },
        ]),
        lines('Request log', 'reqps', 'Published by the gateways and stored by the console, per second, by outcome.', [
          {
            expr: `sum by (outcome) (${rate('kinora_http_logged_requests_total')})`,
            legend: 'gateways: {{outcome}}',
          },
          {
            expr: `max by (outcome) (${rate('kinora_console_stored_requests_total')})`,
            legend: 'console: {{outcome}}',
          },
        ]),
        lines('Bodies held', 'bytes', 'The gateway with the highest value.', [
          { expr: `max(${gauge('kinora_http_held_body_bytes')})`, legend: 'bytes' },
        ]),
      ],
    },
    {
      title: 'Events',
      panels: [
        lines('Handled', 'ops', 'Deliveries per second, by outcome.', [
          {
            expr: `sum by (job, subject, outcome) (${rate('kinora_event_duration_seconds_count')})`,
            legend: '{{job}} {{subject}} {{outcome}}',
          },
        ]),
        lines('Pending', 'none', 'Events that the stream has not delivered to the service yet.', [
          { expr: `max by (job, subject) (${gauge('kinora_events_pending')})`, legend: '{{job}} {{subject}}' },
        ]),
        lines(
          'Outboxes',
          's',
          'Age of the oldest event that the broker has not acknowledged.',
          [{ expr: `max by (job) (${gauge('kinora_outbox_oldest_age_seconds')})`, legend: '{{job}}' }],
          { thresholds: { warning: 10, critical: 60 } },
        ),
        lines('Events in outboxes', 'none', 'Events that the broker has not acknowledged.', [
          { expr: `max by (job) (${gauge('kinora_outbox_events')})`, legend: '{{job}}' },
        ]),
        lines('Broker', 'none', '1 while all processes of a service are connected.', [
          { expr: `min by (job) (${gauge('kinora_nats_connected')})`, legend: '{{job}}' },
        ]),
        lines('Missing rights', 'none', '1 while the broker refuses the subject to the service.', [
          { expr: `max by (job, subject) (${gauge('kinora_bus_refused_subjects')})`, legend: '{{job}} {{subject}}' },
        ]),
        lines('Reconnects', 'ops', 'Per second.', [
          { expr: `sum by (job) (${rate('kinora_nats_reconnects_total')})`, legend: '{{job}}' },
        ]),
      ],
    },
    {
      title: 'Database and objects',
      panels: [
        lines(
          'Pools',
          'percentunit',
          'Share of the connections that are in use, of the process with the highest value.',
          [
            {
              expr: `max by (job) (${gauge('kinora_database_connections', 'state="in_use"')} / ignoring (state) ${gauge('kinora_database_connections_max')})`,
              legend: '{{job}}',
            },
          ],
          { thresholds: { warning: 0.8, critical: 1 } },
        ),
        lines('Waiting for a connection', 'none', 'Statements and transactions.', [
          { expr: `sum by (job) (${gauge('kinora_database_waiting')})`, legend: '{{job}}' },
        ]),
        lines('Object store', 'ops', 'Operations per second, by outcome.', [
          { expr: `sum by (operation, outcome) (${rate(`${STORE}_count`)})`, legend: '{{operation}} {{outcome}}' },
        ]),
        lines('Latency of the object store', 's', '99%, by operation.', [
          { expr: quantile(0.99, STORE, ['operation']), legend: '{{operation}}' },
        ]),
      ],
    },
    {
      title: 'Processes',
      panels: [
        lines('CPU', 'short', 'Cores at work, by service.', [
          { expr: `sum by (job) (${rate('process_cpu_seconds_total')})`, legend: '{{job}}' },
        ]),
        lines('Memory', 'bytes', 'Resident, by service.', [
          { expr: `sum by (job) (${gauge('process_resident_memory_bytes')})`, legend: '{{job}}' },
        ]),
        lines(
          'Event loop',
          's',
          '99% of the delays, of the slowest process.',
          [{ expr: `max by (job) (${gauge('nodejs_eventloop_lag_p99_seconds')})`, legend: '{{job}}' }],
          { thresholds: { warning: 0.1, critical: 0.25 } },
        ),
        lines('Garbage collection', 'percentunit', 'Share of the time spent in garbage collection, by service.', [
          { expr: `sum by (job) (${rate('nodejs_gc_duration_seconds_sum')})`, legend: '{{job}}' },
        ]),
      ],
    },
  ],
};
