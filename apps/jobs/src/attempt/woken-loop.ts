/** The loops that are woken as soon as there is work for them: jobs to dispatch, outputs to collect. */
export type WokenLoop = 'dispatch' | 'collect';
