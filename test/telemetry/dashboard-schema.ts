/** Grafana's JSON model, as far as these dashboards use it; an unknown key is a misspelt one. */
const record = (properties: Record<string, object>, optional: string[] = []): object => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  additionalProperties: false,
});

const text = { type: 'string', minLength: 1 };
const flag = { type: 'boolean' };
const count = { type: 'integer', minimum: 0 };
const list = (items: object): object => ({ type: 'array', items });

const dataSource = record({ type: { const: 'prometheus' }, uid: { const: '${datasource}' } });
const gridPos = record({ x: count, y: count, w: { type: 'integer', minimum: 1, maximum: 24 }, h: count });
const step = record({ color: { enum: ['green', 'yellow', 'red'] }, value: { type: ['number', 'null'] } });

const custom = record({
  fillOpacity: count,
  lineWidth: count,
  showPoints: { enum: ['never', 'auto', 'always'] },
  stacking: record({ mode: { enum: ['none', 'normal'] } }),
  thresholdsStyle: record({ mode: { enum: ['off', 'dashed'] } }),
});

const row = record({
  id: count,
  type: { const: 'row' },
  title: text,
  collapsed: { const: false },
  gridPos,
  panels: { type: 'array', maxItems: 0 },
});

const panel = record({
  id: count,
  type: { enum: ['timeseries', 'stat'] },
  title: text,
  description: { type: 'string', pattern: '\\.$' },
  gridPos,
  datasource: dataSource,
  fieldConfig: record({
    defaults: record(
      {
        unit: { enum: ['reqps', 'percentunit', 's', 'short', 'bytes', 'ops', 'none', 'currencyUSD'] },
        min: { const: 0 },
        thresholds: record({ mode: { const: 'absolute' }, steps: { ...list(step), minItems: 1 } }),
        custom,
      },
      ['custom'],
    ),
    overrides: { type: 'array', maxItems: 0 },
  }),
  options: {
    oneOf: [
      record({
        colorMode: { const: 'background' },
        graphMode: { const: 'area' },
        reduceOptions: record({ calcs: list({ enum: ['lastNotNull'] }) }),
      }),
      record({
        legend: record({ displayMode: { const: 'list' }, placement: { const: 'bottom' } }),
        tooltip: record({ mode: { const: 'multi' }, sort: { const: 'desc' } }),
      }),
    ],
  },
  targets: {
    ...list(
      record({
        refId: { type: 'string', pattern: '^[A-Z]$' },
        datasource: dataSource,
        expr: text,
        legendFormat: text,
        range: { const: true },
      }),
    ),
    minItems: 1,
  },
});

export const DASHBOARD_SCHEMA = record({
  uid: { type: 'string', pattern: '^kinora-[a-z]{1,33}$' },
  title: text,
  description: text,
  tags: list(text),
  schemaVersion: { const: 39 },
  version: count,
  editable: flag,
  graphTooltip: { enum: [0, 1, 2] },
  refresh: text,
  timezone: { const: 'browser' },
  time: record({ from: text, to: text }),
  links: list({ type: 'object' }),
  annotations: record({ list: list({ type: 'object' }) }),
  templating: record({ list: { ...list({ type: 'object', required: ['name', 'type', 'query'] }), minItems: 2 } }),
  panels: list({ oneOf: [row, panel] }),
});
