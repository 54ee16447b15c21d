/** What `${NAME}` stands for, and where settings come from. */
export type Environment = Readonly<Record<string, string | undefined>>;
