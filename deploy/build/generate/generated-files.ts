/** The content of generated files, by path in the repository. They are committed, so that each change is reviewed. */
export type GeneratedFiles = Record<string, string>;
