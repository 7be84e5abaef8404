import { t } from '@lingui/core/macro'

import { ConfirmDialog } from '../overlays/ConfirmDialog.tsx'
import { LeaveGuard } from './LeaveGuard.tsx'

export type DiscardDialogProps = {
  /** Whether something would be lost. */
  readonly isDirty: boolean
  /** Whether the operator was about to close the dialog. */
  readonly isAsked: boolean
  readonly onKeep: () => void
  readonly onDiscard: () => void
}

/** Asks before what was filled into a dialog is lost: with the dialog itself, with its page or with the browser's tab. */
export function DiscardDialog({ isDirty, isAsked, onKeep, onDiscard }: DiscardDialogProps) {
  const title = t`Discard what you filled in?`
  const text = t`Nothing of it is saved yet.`
  return (
    <>
      {isDirty && <LeaveGuard isDirty liesOver title={title} text={text} />}
      {isAsked && (
        <ConfirmDialog
          title={title}
          action={t`Discard`}
          keep={t`Keep editing`}
          onClose={onKeep}
          onConfirm={async () => onDiscard()}
        >
          <p className="text-body">{text}</p>
        </ConfirmDialog>
      )}
    </>
  )
}
