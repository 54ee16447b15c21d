/** Environment variables: the source of settings, and of the values for `${NAME}`. */
export type Environment = Readonly<Record<string, string | undefined>>;
