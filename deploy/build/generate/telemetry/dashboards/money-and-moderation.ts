import { type Dashboard, gauge, lines, number, quantile, rate } from './panel';

const ENGINES = 'kinora_moderation_engine_duration_seconds';

export const MONEY: Dashboard = {
  uid: 'kinora-money',
  title: 'Kinora: money',
  description: 'Holds, and whether the ledger is balanced.',
  rows: [
    {
      title: 'Books',
      panels: [
        number(
          'Broken rules',
          'none',
          'Any value but 0 means that money is missing or was created.',
          `max(${gauge('kinora_ledger_violations')})`,
          { width: 6, thresholds: { warning: 1, critical: 1 } },
        ),
        number(
          'Drift, micros',
          'none',
          'The sum over all books, which must be 0.',
          `max(${gauge('kinora_ledger_drift_micros')})`,
          { width: 6, thresholds: { warning: 1, critical: 1 } },
        ),
        number(
          'Verified ago',
          's',
          'Time since all accounts were last verified.',
          `time() - max(${gauge('kinora_ledger_verified_timestamp_seconds')})`,
          { width: 6, thresholds: { warning: 7200, critical: 21600 } },
        ),
        number('Oldest hold', 's', 'A hold ends with its job.', `max(${gauge('kinora_holds_oldest_age_seconds')})`, {
          width: 6,
          thresholds: { warning: 3600, critical: 7200 },
        }),
      ],
    },
    {
      title: 'Holds',
      panels: [
        lines('Open', 'none', 'Holds that have not ended.', [
          { expr: `max(${gauge('kinora_holds_open')})`, legend: 'holds' },
        ]),
        lines('Held', 'currencyUSD', 'The money in open holds.', [
          { expr: `max(${gauge('kinora_holds_open_micros')}) / 1000000`, legend: 'held' },
        ]),
        lines('Ended', 'ops', 'Captures and refunds per second.', [
          { expr: `sum by (kind) (${rate('kinora_hold_moves_total')})`, legend: '{{kind}}' },
        ]),
      ],
    },
    {
      title: 'Quotes',
      panels: [
        lines(
          'Jobs at quoted prices',
          'ops',
          'Per second: the quoted price is the same as the list price, below or above it.',
          [{ expr: `sum by (held) (${rate('kinora_jobs_quoted_total')})`, legend: '{{held}}' }],
        ),
        lines('Below the list price', 'currencyUSD', 'Per second: what quotes have saved their clients.', [
          {
            expr: `sum by (model) (${rate('kinora_jobs_quote_shortfall_micros_total')}) / 1000000`,
            legend: '{{model}}',
          },
        ]),
      ],
    },
  ],
};

export const MODERATION: Dashboard = {
  uid: 'kinora-moderation',
  title: 'Kinora: moderation',
  description: 'Verdicts of the moderation gate, and whether its self-test passes.',
  rows: [
    {
      title: 'Gate',
      panels: [
        number(
          'Canaries blocked',
          'none',
          'The replica with the lowest value; 0 means that it blocks everything.',
          `min(${gauge('kinora_moderation_canary_blocked')})`,
          { width: 6 },
        ),
        number(
          'Time since the canaries',
          's',
          'The self-test with canaries runs every minute.',
          `time() - min(${gauge('kinora_moderation_canary_timestamp_seconds')})`,
          { width: 6, thresholds: { warning: 120, critical: 300 } },
        ),
        lines(
          'Verdicts',
          'ops',
          'Per second, by stage and outcome.',
          [
            {
              expr: `sum by (stage, outcome) (${rate('kinora_moderation_verdicts_total')})`,
              legend: '{{stage}} {{outcome}}',
            },
          ],
          { width: 12 },
        ),
        lines(
          'Blocked by',
          'ops',
          'Engines that blocked, per second.',
          [
            {
              expr: `sum by (stage, engine) (${rate('kinora_moderation_verdicts_total', 'outcome="blocked"')})`,
              legend: '{{engine}} {{stage}}',
            },
          ],
          { width: 12 },
        ),
      ],
    },
    {
      title: 'Engines',
      panels: [
        lines(
          'Faults',
          'ops',
          'Failed engine calls per second; content without a verdict is refused.',
          [
            {
              expr: `sum by (engine, content) (${rate(`${ENGINES}_count`, 'outcome="failed"')})`,
              legend: '{{engine}} {{content}}',
            },
          ],
          { width: 12 },
        ),
        lines(
          'Latency',
          's',
          '99%, by engine and content.',
          [{ expr: quantile(0.99, ENGINES, ['engine', 'content']), legend: '{{engine}} {{content}}' }],
          { width: 12 },
        ),
      ],
    },
    {
      title: 'Decoding',
      panels: [
        lines(
          'Files held',
          'bytes',
          'Images and videos in memory for moderation, by process; requests above the limit are answered 503.',
          [{ expr: `max by (pod) (${gauge('kinora_moderation_file_bytes')})`, legend: '{{pod}}' }],
          { width: 12 },
        ),
        lines(
          'Decodes under way',
          'none',
          'Images and videos that are being decoded, by process.',
          [{ expr: `max by (pod) (${gauge('kinora_moderation_decodes_under_way')})`, legend: '{{pod}}' }],
          { width: 12 },
        ),
      ],
    },
  ],
};
