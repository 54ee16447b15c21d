import { format } from 'prettier';
import type { GeneratedFiles } from '../generated/generated-files';
import { JOBS } from './dashboards/jobs';
import { MODERATION, MONEY } from './dashboards/money-and-moderation';
import { OVERVIEW } from './dashboards/overview';
import type { Dashboard } from './dashboards/panel';
import { RUNTIME } from './dashboards/runtime';
import { toGrafana } from './dashboards/to-grafana';
import { WEBHOOKS } from './dashboards/webhooks';

export const DASHBOARDS: Dashboard[] = [OVERVIEW, JOBS, MONEY, WEBHOOKS, MODERATION, RUNTIME];

const FOLDER = 'deploy/helm/kinora/files/dashboards';

/** The dashboards as Grafana loads them; the chart puts each into a ConfigMap. */
export async function dashboardFiles(): Promise<GeneratedFiles> {
  const files = DASHBOARDS.map(async (dashboard) => [
    `${FOLDER}/${dashboard.uid.replace('kinora-', '')}.json`,
    await format(JSON.stringify(toGrafana(dashboard)), { parser: 'json', printWidth: 120 }),
  ]);
  return Object.fromEntries(await Promise.all(files)) as GeneratedFiles;
}
