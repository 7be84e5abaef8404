import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect, useState } from 'react'

import { asRequestError } from '../../../api/request-error.ts'
import { collectPayments, MOST_COLLECTED } from '../../../api/payments.ts'
import type { CollectedPayments, PaymentFilter } from '../../../api/payments.ts'
import { count } from '../../../lib/format.ts'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { Button } from '../../../ui/actions/Button.tsx'
import { Dialog } from '../../../ui/overlays/Dialog.tsx'

export type SelectAllDialogProps = {
  /** What is to be done to them. */
  readonly title: string
  readonly projectId: string
  readonly filter: PaymentFilter
  readonly onGathered: (gathered: CollectedPayments) => void
  readonly onClose: () => void
}

/** Reads every payment a filter lets through, before something is done to them; closing it stops. */
export function SelectAllDialog({ title, projectId, filter, onGathered, onClose }: SelectAllDialogProps) {
  const [{ read, total }, setProgress] = useState({ read: 0, total: 0 })
  const [failure, setFailure] = useState<string>()
  const [tries, setTries] = useState(1)
  useEffect(() => {
    const abort = new AbortController()
    const { signal } = abort
    const onRead = (readNow: number, totalNow: number) => setProgress({ read: readNow, total: totalNow })
    collectPayments({ projectId, filter, onRead, signal }).then(onGathered, (thrown: unknown) => {
      if (!signal.aborted) setFailure(asRequestError(thrown).message)
    })
    return () => abort.abort()
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once per try
  }, [tries])
  const again = () => {
    setFailure(undefined)
    setTries(tries + 1)
  }
  const [done, all] = [count(read), count(Math.min(total, MOST_COLLECTED))]
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
        <p role="status" className="tabular-nums">
          {read === 0 ? t`Reading the payments…` : t`Reading the payments: ${done} of ${all}`}
        </p>
      ) : (
        <Banner tone="danger">{failure}</Banner>
      )}
    </Dialog>
  )
}
