import { t } from '@lingui/core/macro'
import { useState } from 'react'

import { asRequestError } from '../../../api/request-error.ts'
import { toast } from '../../../ui/feedback/toast.ts'
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx'

type ReleaseDialogProps = {
  /** The question, with what is given up. */
  readonly title: string
  /** What can be done with it again. */
  readonly text: string
  /** Said once it is released. */
  readonly done: string
  readonly onRelease: () => Promise<unknown>
  readonly onReleased: () => void
  readonly onClose: () => void
}

/** Asks before something that an operator's wallet was to send is given up; the wallet may have sent it all the same. */
export function ReleaseDialog({ title, text, done, onRelease, onReleased, onClose }: ReleaseDialogProps) {
  const [failure, setFailure] = useState<string>()
  const release = async () => {
    setFailure(undefined)
    try {
      await onRelease()
      toast.success(done)
      onReleased()
    } catch (thrown) {
      setFailure(asRequestError(thrown).message)
    }
  }
  return (
    <ConfirmDialog title={title} action={t`Release`} failure={failure} onConfirm={release} onClose={onClose}>
      <p className="text-body text-muted">
        {text} {t`If your wallet has sent it already, the chain still decides.`}
      </p>
    </ConfirmDialog>
  )
}
