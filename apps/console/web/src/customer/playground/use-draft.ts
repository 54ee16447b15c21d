import { useEffect, useState } from 'react';
import { useSettled } from '../../api/pages';
import { notifyError } from '../../components/toasts';
import { useFragment } from '../../router/navigation';
import { type Draft, EMPTY_DRAFT } from '../draft/draft';
import { fragmentOf, type LinkedDraft, readFragment } from '../draft/draft-link';
import { readOutput } from './input-image';

/** The images of the last form, for a way back to it. */
let left: { fragment: string; images: Draft['images'] } = { fragment: '', images: [] };

function begin(fragment: string, { draft, sources }: LinkedDraft) {
  return left.fragment === fragment && left.images.length > 0
    ? { fragment, draft: { ...draft, images: left.images }, sources: [] }
    : { fragment, draft, sources };
}

/** The form that the address holds. A change enters the address when it has settled: browsers bound how often it may change. */
export function useDraft(): LinkedDraft & { change: (changes: Partial<Draft>) => void } {
  const fragment = useFragment();
  const [form, setForm] = useState(() =>
    begin(fragment, readFragment(fragment) ?? { draft: EMPTY_DRAFT, sources: [] }),
  );
  const linked = form.fragment === fragment ? null : readFragment(fragment);
  const { draft, sources } = linked ? begin(fragment, linked) : form;
  // Another address, as after Back, has another form.
  if (linked) setForm(begin(fragment, linked));
  const settled = useSettled(fragmentOf(draft, sources));
  useEffect(() => {
    if (settled !== fragmentOf(draft, sources)) return;
    left = { fragment: settled, images: draft.images };
    if (settled === form.fragment || (form.fragment === '' && settled === fragmentOf({}))) return;
    window.history.replaceState(null, '', settled);
    setForm({ fragment: settled, draft, sources });
  }, [settled, draft, sources, form.fragment]);
  useEffect(() => {
    if (sources.length === 0) return;
    let isLeft = false;
    const finish = (images: Draft['images']) =>
      isLeft ||
      setForm((now) => ({ ...now, draft: { ...now.draft, images: [...now.draft.images, ...images] }, sources: [] }));
    Promise.all(sources.map(readOutput)).then(finish, (error: unknown) => {
      notifyError(error);
      finish([]);
    });
    return () => void (isLeft = true);
  }, [sources]);
  const change = (changes: Partial<Draft>) =>
    setForm((now) => ({
      ...now,
      draft: { ...now.draft, ...changes },
      // An output that is still read belongs to the images that the change replaces.
      sources: changes.images ? [] : now.sources,
    }));
  return { draft, sources, change };
}
