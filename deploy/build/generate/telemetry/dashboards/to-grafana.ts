import type { Dashboard, Panel } from './panel';

const COLUMNS = 24;
const HEIGHT = { stat: 4, timeseries: 8 } as const;
const DATA_SOURCE = { type: 'prometheus', uid: '${datasource}' };

/** The dashboard in Grafana's JSON model. */
export function toGrafana({ uid, title, description, rows }: Dashboard): object {
  return {
    uid,
    title,
    description,
    tags: ['kinora'],
    schemaVersion: 39,
    version: 1,
    editable: true,
    graphTooltip: 1,
    refresh: '30s',
    timezone: 'browser',
    time: { from: 'now-3h', to: 'now' },
    links: [
      { type: 'dashboards', title: 'Kinora', tags: ['kinora'], asDropdown: true, includeVars: true, keepTime: true },
    ],
    annotations: { list: [] },
    templating: { list: VARIABLES },
    panels: layOut(rows),
  };
}

const VARIABLES = [
  { name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus', refresh: 1 },
  {
    name: 'namespace',
    label: 'Namespace',
    type: 'query',
    datasource: DATA_SOURCE,
    query: { query: 'label_values(kinora_nats_connected, namespace)', refId: 'namespaces' },
    refresh: 2,
    includeAll: true,
    allValue: '.*',
    current: { text: 'All', value: '$__all' },
  },
];

/** Places panels beside each other while there is space, below the title of their row. */
function layOut(rows: Dashboard['rows']): object[] {
  const placed: object[] = [];
  let y = 0;
  for (const { title, panels } of rows) {
    placed.push({
      id: placed.length + 1,
      type: 'row',
      title,
      collapsed: false,
      gridPos: at(0, y, COLUMNS, 1),
      panels: [],
    });
    y += 1;
    let x = 0;
    let height = 0;
    for (const panel of panels) {
      if (x + panel.width > COLUMNS) [x, y, height] = [0, y + height, 0];
      placed.push(toPanel(panel, placed.length + 1, at(x, y, panel.width, HEIGHT[panel.type])));
      x += panel.width;
      height = Math.max(height, HEIGHT[panel.type]);
    }
    y += height;
  }
  return placed;
}

const at = (x: number, y: number, w: number, h: number) => ({ x, y, w, h });

function toPanel(panel: Panel, id: number, gridPos: object): object {
  const { title, description, type, unit, queries, thresholds, stacked = false } = panel;
  const steps = [
    { color: 'green', value: null },
    ...(thresholds
      ? [
          { color: 'yellow', value: thresholds.warning },
          { color: 'red', value: thresholds.critical },
        ]
      : []),
  ];
  const lines = { fillOpacity: 10, lineWidth: 1, showPoints: 'never', stacking: { mode: stacked ? 'normal' : 'none' } };
  const area = { thresholdsStyle: { mode: thresholds ? 'dashed' : 'off' } };
  return {
    id,
    type,
    title,
    description,
    gridPos,
    datasource: DATA_SOURCE,
    fieldConfig: {
      defaults: {
        unit,
        min: 0,
        thresholds: { mode: 'absolute', steps },
        ...(type === 'timeseries' && { custom: { ...lines, ...area } }),
      },
      overrides: [],
    },
    options:
      type === 'stat'
        ? { colorMode: 'background', graphMode: 'area', reduceOptions: { calcs: ['lastNotNull'] } }
        : { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi', sort: 'desc' } },
    targets: queries.map(({ expr, legend }, place) => ({
      refId: String.fromCharCode(65 + place),
      datasource: DATA_SOURCE,
      expr,
      legendFormat: legend,
      range: true,
    })),
  };
}
