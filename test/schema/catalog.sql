-- What the migrations make of an empty schema: written by `npm run generate`, never edited.

CREATE TABLE migration (
  id integer NOT NULL DEFAULT nextval('migration_id_seq'::regclass),
  "timestamp" bigint NOT NULL,
  name character varying NOT NULL,
  CONSTRAINT "PK_3043fc6b8af7c99b8b98830094f" PRIMARY KEY (id)
);

CREATE TABLE model_switch (
  model_id text NOT NULL,
  enabled boolean NOT NULL,
  changed_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT model_switch_pkey PRIMARY KEY (model_id)
);
