import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect, useState } from 'react'

import { asRequestError } from '../../../api/request-error.ts'
import { countPayments } from '../../../api/payments.ts'
import type { PaymentFilter } from '../../../api/payments.ts'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { Button } from '../../../ui/actions/Button.tsx'
import { Dialog } from '../../../ui/overlays/Dialog.tsx'

export type SelectAllDialogProps = {
  /** What is to be done to them. */
  readonly title: string
  readonly projectId: string
  readonly filter: PaymentFilter
  /** Told how many match. */
  readonly onCounted: (matches: number) => void
  readonly onClose: () => void
}

/** Counts the payments a filter lets through, before something is done to them; closing it stops. */
export function SelectAllDialog({ title, projectId, filter, onCounted, onClose }: SelectAllDialogProps) {
  const [failure, setFailure] = useState<string>()
  const [tries, setTries] = useState(1)
  useEffect(() => {
    const abort = new AbortController()
    const { signal } = abort
    countPayments(projectId, filter, signal).then(onCounted, (thrown: unknown) => {
      if (!signal.aborted) setFailure(asRequestError(thrown).message)
    })
    return () => abort.abort()
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once per try
  }, [tries])
  const again = () => {
    setFailure(undefined)
    setTries(tries + 1)
  }
  return (
    <Dialog
      title={title}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>{failure === undefined ? t`Stop` : t`Close`}</Button>
          {failure !== undefined && (
            <Button kind="primary" onClick={again}>
              <Trans>Try again</Trans>
            </Button>
          )}
        </>
      }
    >
      {failure === undefined ? (
        <p role="status">
          <Trans>Counting the payments…</Trans>
        </p>
      ) : (
        <Banner tone="danger">{failure}</Banner>
      )}
    </Dialog>
  )
}
