import {
  address,
  credential,
  flag,
  free,
  optionalCredential,
  placement,
  record,
  serverImage,
  serverVolume,
  text,
  type Schema,
} from './value-types';

const NATS_USERS: Record<string, Schema> = {
  gateway: credential,
  jobs: credential,
  billing: credential,
  moderation: credential,
  catalog: credential,
  webhookDispatcher: credential,
  consoleCustomer: credential,
  consoleOperator: credential,
};

const DATABASES = record({
  jobs: credential,
  billing: credential,
  moderation: credential,
  catalog: credential,
  webhookDispatcher: credential,
  console: credential,
});

/** The sections about PostgreSQL, NATS, the object store and their credentials. */
export const STORES: Record<string, Schema> = {
  secrets: record({
    existingSecret: text,
    asFiles: flag,
    urlSigningKey: credential,
    keyPepper: credential,
    receiptKey: credential,
    quoteKey: credential,
    quoteKeyAccepted: optionalCredential,
    receiptKeyNext: optionalCredential,
    urlSigningKeyAccepted: optionalCredential,
    keyPepperAccepted: optionalCredential,
    c2paCertificate: optionalCredential,
    c2paKey: optionalCredential,
    c2paSignerToken: optionalCredential,
    markerToken: optionalCredential,
    consoleSetupToken: optionalCredential,
    consoleOidcClientSecret: optionalCredential,
    consoleCustomerOidcClientSecret: optionalCredential,
    smtpUrl: optionalCredential,
    stripeSecretKey: credential,
    stripeWebhookSecret: optionalCredential,
  }),
  postgres: record({
    perContext: DATABASES,
    pooler: { enum: ['none', 'session', 'transaction'] },
    direct: DATABASES,
    autoscaler: credential,
  }),
  nats: record({
    enabled: flag,
    server: {
      ...record({
        image: serverImage,
        storage: serverVolume,
        resources: free,
        ...placement,
        passwords: record({ ...NATS_USERS, operator: credential, administrator: credential }),
      }),
      like: 'defaults',
    },
    stream: record({ replicas: { enum: [0, 1, 3, 5] } }),
    authorizationConfigMap: flag,
    monitoringEndpoint: text,
    account: text,
    tls: record({ existingSecret: text, caKey: text, certKey: text, keyKey: text }),
    perService: record({ ...NATS_USERS, operator: credential }),
  }),
  storage: record({
    driver: { enum: ['s3', 'filesystem'] },
    s3: record({
      bucket: { type: 'string', pattern: '^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$' },
      region: { type: 'string', minLength: 1 },
      endpoint: address,
      publicEndpoint: address,
      pathStyle: flag,
      prefix: text,
      useCredentials: flag,
      accessKeyId: credential,
      secretAccessKey: credential,
    }),
    filesystem: record({
      existingClaim: text,
      storageClassName: text,
      accessModes: { type: 'array', items: { enum: ['ReadWriteOnce', 'ReadWriteMany'] }, minItems: 1 },
      size: text,
    }),
  }),
  trial: record({
    enabled: flag,
    // It stands in addresses as it is, and the broker reads what begins with a digit as a number.
    password: { type: 'string', pattern: '^([A-Za-z][A-Za-z0-9-]{7,})?$' },
    postgres: {
      ...record({ image: serverImage, storage: serverVolume, resources: free, ...placement }),
      like: 'defaults',
    },
  }),
  operator: { ...record({ enabled: flag, resources: free, ...placement }), like: 'defaults' },
};
