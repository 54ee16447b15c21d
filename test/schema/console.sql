-- What the migrations make of an empty schema: written by `npm run generate`, never edited.

CREATE TABLE migration (
  id integer NOT NULL DEFAULT nextval('migration_id_seq'::regclass),
  "timestamp" bigint NOT NULL,
  name character varying NOT NULL,
  CONSTRAINT "PK_3043fc6b8af7c99b8b98830094f" PRIMARY KEY (id)
);

CREATE TABLE session (
  id bytea NOT NULL,
  kind text NOT NULL,
  account_id uuid,
  api_key_id uuid,
  key_prefix text,
  scope text,
  is_portal boolean NOT NULL DEFAULT false,
  credential bytea,
  user_id uuid,
  confirmed_until timestamp with time zone,
  address text NOT NULL,
  user_agent text NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT session_id_is_a_hash CHECK ((octet_length(id) = 32)),
  CONSTRAINT session_kind_check CHECK ((kind = ANY (ARRAY['customer'::text, 'operator'::text]))),
  CONSTRAINT session_of_customer CHECK (((kind = 'customer'::text) = ((account_id IS NOT NULL) AND (credential IS NOT NULL) AND (scope IS NOT NULL)))),
  CONSTRAINT session_of_operator CHECK (((kind = 'operator'::text) = (user_id IS NOT NULL))),
  CONSTRAINT session_pkey PRIMARY KEY (id)
);

CREATE INDEX session_by_expiry ON console.session USING btree (expires_at);

CREATE INDEX session_of_account ON console.session USING btree (account_id, created_at) WHERE (account_id IS NOT NULL);

CREATE INDEX session_of_user ON console.session USING btree (user_id, created_at) WHERE (user_id IS NOT NULL);
