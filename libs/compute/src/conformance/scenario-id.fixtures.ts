/** The ids of all scenarios; the table of each group describes them. */
export type ScenarioId = SubmissionScenario | StatusScenario | OutputScenario | CancelScenario | OperationScenario;

export type SubmissionScenario =
  | 'prompt_verbatim'
  | 'age_safety_terms'
  | 'parameters'
  | 'pictures_sent'
  | 'choices_carried'
  | 'answer_lost'
  | 'sent_twice'
  | 'refused'
  | 'rejected'
  | 'locked_out'
  | 'accepted_with_errors'
  | 'broken_down'
  | 'aborted_before'
  | 'aborted_at_work';

export type StatusScenario =
  | 'waiting_and_running'
  | 'restarted'
  | 'status_words'
  | 'unknown_status_word'
  | 'blank_status'
  | 'answers_in_html'
  | 'silent'
  | 'interrupted'
  | 'error'
  | 'out_of_memory'
  | 'content_rejected'
  | 'result_is_error'
  | 'progress'
  | 'clock_skew'
  | 'only_what_was_asked'
  | 'many_tasks';

export type OutputScenario =
  | 'outputs_verbatim'
  | 'seeds'
  | 'video'
  | 'partial'
  | 'truncated'
  | 'oversized'
  | 'expired'
  | 'previews'
  | 'server_paths'
  | 'redirected';

export type CancelScenario =
  | 'cancel_waiting'
  | 'cancel_running'
  | 'cancel_too_late'
  | 'cancel_ignored'
  | 'cancel_twice';

export type OperationScenario =
  | 'headers_sent'
  | 'gone'
  | 'probe_harmless'
  | 'capacity'
  | 'parked'
  | 'callback_forged'
  | 'callback_repeated';
