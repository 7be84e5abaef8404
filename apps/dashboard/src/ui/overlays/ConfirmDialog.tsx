import { t } from '@lingui/core/macro'
import { useRef, useState } from 'react'
import type { ReactNode } from 'react'

import { Button } from '../actions/Button.tsx'
import { Dialog } from './Dialog.tsx'

export type ConfirmDialogProps = {
  readonly title: string
  readonly children: ReactNode
  /** What the press does, in words: "Cancel link". */
  readonly action: string
  /** The safe way out, which gets the focus: "Cancel", and "Keep link" where the action cancels something itself. */
  readonly keep?: string
  readonly danger?: boolean
  /** Why it can no longer be done, said below the question. */
  readonly offReason?: string | undefined
  /** Why it was not done, said below the question. */
  readonly failure?: string | undefined
  readonly onConfirm: () => Promise<unknown>
  readonly onClose: () => void
}

/** Asks before something ends: names the object, focuses the safe button, stays open while the call is on its way. */
export function ConfirmDialog({
  title,
  children,
  action,
  keep = t`Cancel`,
  danger = true,
  offReason,
  failure,
  onConfirm,
  onClose,
}: ConfirmDialogProps) {
  const [sending, setSending] = useState(false)
  const safe = useRef<HTMLButtonElement>(null)
  const confirm = async () => {
    setSending(true)
    try {
      await onConfirm()
    } finally {
      setSending(false)
    }
  }
  const foot = (
    <>
      <Button ref={safe} onClick={onClose} disabled={sending}>
        {keep}
      </Button>
      <Button
        kind={danger ? 'danger' : 'primary'}
        loading={sending}
        disabled={offReason !== undefined}
        {...(offReason !== undefined && { title: offReason })}
        onClick={() => void confirm()}
      >
        {action}
      </Button>
    </>
  )
  return (
    <Dialog title={title} size={400} locked={sending} initialFocus={safe} onClose={onClose} foot={foot}>
      {children}
      {failure !== undefined && <Alert text={failure} />}
      {offReason !== undefined && !sending && <Alert text={offReason} />}
    </Dialog>
  )
}

function Alert({ text }: { text: string }) {
  return (
    <p role="alert" className="mt-3 text-body text-danger-text">
      {text}
    </p>
  )
}
