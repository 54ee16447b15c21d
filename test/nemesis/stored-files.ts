import type { Job } from '@kinora/contracts/jobs/job';
import type { ObjectStore } from '@kinora/object-store';

const FOLDERS = ['inputs', 'outputs'];

/** The keys of all objects, read without the service. */
export async function listFiles(objects: ObjectStore): Promise<string[]> {
  const keys: string[] = [];
  for (const folder of FOLDERS) for await (const page of objects.list(folder)) keys.push(...page.map(({ key }) => key));
  return keys;
}

/** The keys in the links of a job. */
export function filesOf({ output }: Job): string[] {
  const files = output === null ? [] : 'images' in output ? output.images : [output.video];
  return files.flatMap(({ url }) => /outputs\/[^?]+/.exec(url ?? '')?.[0] ?? []);
}
