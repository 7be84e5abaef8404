import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'

import { Button } from '../../../ui/Button.tsx'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'

export type AnotherFileProps = {
  /** Lines were mended by hand and have no link yet. */
  readonly isLost: boolean
  readonly disabled: boolean
  readonly onAnother: () => void
}

/** Makes room for another file; asks first where that would lose work. */
export function AnotherFile({ isLost, disabled, onAnother }: AnotherFileProps) {
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Button kind="quiet" disabled={disabled} onClick={() => (isLost ? setAsking(true) : onAnother())}>
        <Trans>Another file</Trans>
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={t`Leave the mended lines?`}
          action={t`Choose another file`}
          keep={t`Stay here`}
          onClose={() => setAsking(false)}
          onConfirm={async () => onAnother()}
        >
          <p className="text-body">{mendedText()}</p>
        </ConfirmDialog>
      )}
    </>
  )
}

/** What is lost with the sheet. */
export function mendedText(): string {
  return t`Their links are not created, and your file does not hold what you typed here.`
}
