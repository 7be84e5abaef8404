import { useState } from 'react'
import type { ReactNode } from 'react'

import { LeaveGuard } from '../../../ui/forms/LeaveGuard.tsx'
import { ClashDialog } from './ClashDialog.tsx'
import { SaveBar } from './SaveBar.tsx'
import type { SavedForm } from './useSavedForm.ts'

export type SavedFormFrameProps<Values> = {
  readonly edit: SavedForm<Values>
  /** The label of a value. */
  readonly label: (name: keyof Values & string) => string
  /** A value as text, for comparing yours with theirs. */
  readonly show: (name: keyof Values & string, values: Values) => string
  readonly children: ReactNode
}

/** A form with its save bar, the comparison with another operator's changes, and the warning before leaving unsaved changes. */
export function SavedFormFrame<Values>({ edit, label, show, children }: SavedFormFrameProps<Values>) {
  const { form, changes, failure, clashes, discard, frame } = edit
  const [isShown, setShown] = useState(false)
  const rows = clashes.map(({ name, theirs, yours }) => ({
    label: label(name),
    theirs: show(name, theirs),
    yours: show(name, yours),
  }))
  return (
    <form ref={frame} tabIndex={-1} noValidate onSubmit={form.onSubmit} className="flex flex-col gap-4 outline-none">
      {children}
      {changes > 0 && (
        <SaveBar
          changes={changes}
          failure={failure}
          sending={form.sending}
          onDiscard={discard}
          onShow={rows.length > 0 ? () => setShown(true) : undefined}
        />
      )}
      {isShown && rows.length > 0 && <ClashDialog rows={rows} onClose={() => setShown(false)} />}
      <LeaveGuard isDirty={changes > 0} />
    </form>
  )
}
