/** More tasks than this are never open; the oldest are forgotten, because their hints are optional. */
const MAX_TASKS = 10_000;

/** Maps the prompts that this process has submitted to their tasks. */
export class SubmittedTasks {
  private readonly taskIds = new Map<string, string>();

  add(promptId: string, taskId: string): void {
    this.taskIds.set(promptId, taskId);
    const [oldest] = this.taskIds.keys();
    if (this.taskIds.size > MAX_TASKS && oldest !== undefined) this.taskIds.delete(oldest);
  }

  find(promptId: string): string | null {
    return this.taskIds.get(promptId) ?? null;
  }

  delete(promptId: string): void {
    this.taskIds.delete(promptId);
  }
}
