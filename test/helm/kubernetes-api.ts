import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Manifest } from './manifest';

/** The kinds of the chart's objects, by group and version. */
const RESOURCES: Record<string, Record<string, string>> = {
  v1: { ServiceAccount: 'serviceaccounts', ConfigMap: 'configmaps', Service: 'services' },
  'apps/v1': { Deployment: 'deployments' },
  'policy/v1': { PodDisruptionBudget: 'poddisruptionbudgets' },
  'networking.k8s.io/v1': { NetworkPolicy: 'networkpolicies' },
};

/** As much of an API server as `helm install` reads with its memory driver: discovery, and some objects that exist. */
export class KubernetesApi {
  private readonly server: Server;

  private constructor(private readonly existing: Manifest[]) {
    this.server = createServer((request, response) => {
      const answer = this.find(request.url ?? '');
      response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer ?? { kind: 'Status', status: 'Failure', reason: 'NotFound', code: 404 }));
    });
  }

  static async start(existing: Manifest[]): Promise<KubernetesApi> {
    const api = new KubernetesApi(existing);
    await once(api.server.listen(0, '127.0.0.1'), 'listening');
    return api;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await once(this.server.close(), 'close');
  }

  private find(url: string): object | undefined {
    const [path = ''] = url.split('?');
    if (path === '/version') return { major: '1', minor: '30', gitVersion: 'v1.30.0' };
    if (path === '/api') return { kind: 'APIVersions', versions: ['v1'] };
    if (path === '/apis') return { kind: 'APIGroupList', groups: Object.keys(RESOURCES).slice(1).map(groupOf) };
    const kinds = RESOURCES[path.replace(/^\/apis?\//, '')];
    if (kinds) return resourceList(path.replace(/^\/apis?\//, ''), kinds);
    const [, plural, name] = /\/namespaces\/[^/]+\/(\w+)\/([^/]+)$/.exec(path) ?? [];
    return this.existing.find(({ apiVersion, kind, metadata }) => {
      return metadata.name === name && RESOURCES[apiVersion]?.[kind] === plural;
    });
  }
}

function groupOf(groupVersion: string): object {
  const [name, version] = groupVersion.split('/');
  return { name, versions: [{ groupVersion, version }], preferredVersion: { groupVersion, version } };
}

function resourceList(groupVersion: string, kinds: Record<string, string>): object {
  const resources = Object.entries(kinds).map(([kind, name]) => {
    return { name, singularName: '', namespaced: true, kind, verbs: ['create', 'get', 'patch'] };
  });
  return { kind: 'APIResourceList', groupVersion, resources };
}
