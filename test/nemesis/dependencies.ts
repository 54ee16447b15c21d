import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { type ObjectStore, ObjectStoreConfig, createObjectStore } from '@kinora/object-store';
import { loadConfig } from '@kinora/service-kit/without-nest';
import { TestBroker, TestS3 } from '@kinora/testing';
import { StripeApi } from '../../apps/billing/test/stripe-api.fixtures';
import { NatsCluster } from '../cluster/nats/nats-cluster';
import { SmallDisk } from '../cluster/small-disk';
import type { Installation } from './installations';
import { STRIPE_WEBHOOK_SECRET } from './payment-pages';
import { TcpProxy } from './tcp-proxy';

/** Small enough to be filled at once, and large enough for a set of runs. */
const DISK = '512m';

/** A NATS server that a fault stops, and starts again on what is left of its files. */
export interface BrokerServer {
  storeDir: string;
  stop(): Promise<void>;
  startAgain(): Promise<void>;
}

/** What a stack depends on, beside its database and its backend. */
export interface Dependencies {
  /** The settings with which the stack reaches them, by the links. */
  env: Record<string, string>;
  links: Record<string, TcpProxy>;
  servers: Record<string, BrokerServer>;
  /** Without a link. */
  natsUrl: string;
  objects: ObjectStore;
  /** Null where the sandbox provider takes the payments. */
  stripe: StripeApi | null;
  /** Those that another program can fill: none where this user may not mount them. */
  disks: Record<string, SmallDisk | undefined>;
  close(): Promise<void>;
}

/** @param dataDir of the stack, which does not exist yet. */
export const DEPENDENCIES: Record<Installation, (dataDir: string) => Promise<Dependencies>> = {
  single: async (dataDir) => {
    await mkdir(dataDir);
    const dir = path.join(dataDir, 'objects');
    const [disk, broker] = await Promise.all([mountIfAllowed(dir), TestBroker.start()]);
    const nats = await TcpProxy.start(Number(new URL(broker.url).port));
    return {
      env: { NATS_URL: `nats://127.0.0.1:${nats.port}` },
      links: { nats },
      servers: { nats: broker },
      natsUrl: broker.url,
      objects: await createObjectStore(loadConfig(ObjectStoreConfig, { KINORA_OBJECT_STORE_DIR: dir })),
      stripe: null,
      disks: { objects: disk },
      close: async () => void (await Promise.all([broker.close(), disk?.unmount()])),
    };
  },

  clustered: async () => {
    const [cluster, s3, stripe] = await Promise.all([NatsCluster.start(3), TestS3.start(), StripeApi.start()]);
    const { KINORA_S3_ENDPOINT: endpoint = '', ...settings } = s3.settings;
    const link = (url: string): Promise<TcpProxy> => TcpProxy.start(Number(new URL(url).port));
    const [nats, second, third] = await Promise.all(cluster.nodes.map(({ port }) => TcpProxy.start(port)));
    const links = {
      nats,
      'nats-2': second,
      'nats-3': third,
      objects: await link(endpoint),
      stripe: await link(stripe.url),
    };
    const servers = cluster.nodes.map(({ name }): [string, BrokerServer] => [
      name,
      {
        storeDir: cluster.storeOf(name),
        stop: () => cluster.kill(name),
        startAgain: () => cluster.rejoin(name),
      },
    ]);
    return {
      env: {
        ...settings,
        KINORA_S3_ENDPOINT: `http://127.0.0.1:${links.objects.port}`,
        NATS_URL: [nats, second, third].map((one) => `nats://127.0.0.1:${one?.port}`).join(),
        KINORA_PAYMENTS: 'stripe',
        KINORA_STRIPE_URL: `http://127.0.0.1:${links.stripe.port}`,
        KINORA_STRIPE_SECRET_KEY: 'sk_test_nemesis',
        KINORA_STRIPE_WEBHOOK_SECRET: STRIPE_WEBHOOK_SECRET,
      },
      links: links as Record<string, TcpProxy>,
      servers: Object.fromEntries(servers),
      natsUrl: cluster.url,
      objects: await createObjectStore(loadConfig(ObjectStoreConfig, s3.settings)),
      stripe,
      disks: {},
      close: async () => void (await Promise.all([cluster.close(), s3.close(), stripe.close()])),
    };
  },
};

/** A full disk of another kind would be another fault. */
export async function mountIfAllowed(folder: string): Promise<SmallDisk | undefined> {
  return await SmallDisk.mount(folder, DISK).catch(() => undefined);
}
