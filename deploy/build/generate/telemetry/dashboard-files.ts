import { format } from 'prettier';
import type { GeneratedFiles } from '../generated-files';
import { DASHBOARDS } from './dashboards/dashboards';
import { toGrafana } from './dashboards/to-grafana';

const FOLDER = 'deploy/helm/kinora/files/dashboards';

/** The dashboards in Grafana's format; the chart puts each into a ConfigMap. */
export async function dashboardFiles(): Promise<GeneratedFiles> {
  const files = DASHBOARDS.map(async (dashboard) => [
    `${FOLDER}/${dashboard.uid.replace('kinora-', '')}.json`,
    await format(JSON.stringify(toGrafana(dashboard)), { parser: 'json', printWidth: 120 }),
  ]);
  return Object.fromEntries(await Promise.all(files)) as GeneratedFiles;
}
