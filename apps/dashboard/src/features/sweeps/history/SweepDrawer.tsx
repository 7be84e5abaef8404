import type { SweepDetail } from '@kassa/contract/sweeps/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { SearchX } from 'lucide-react'
import { useState } from 'react'

import { useCan } from '../../../api/me.ts'
import { asRequestError } from '../../../api/request-error.ts'
import { sweepQuery, useSweepChanges } from '../../../api/sweeps.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { CopyButton } from '../../../ui/actions/CopyButton.tsx'
import { LoadingText, Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import { RaiseFeeDialog } from '../../../ui/forms/RaiseFeeDialog.tsx'
import { Drawer } from '../../../ui/overlays/Drawer.tsx'
import { EmptyState } from '../../../ui/places/EmptyState.tsx'
import { ErrorState } from '../../../ui/places/ErrorState.tsx'
import { AwaitedActions } from './AwaitedActions.tsx'
import { SweepFacts } from './SweepFacts.tsx'

export type SweepDrawerProps = {
  readonly id: number
  readonly onPrevious?: (() => void) | undefined
  readonly onNext?: (() => void) | undefined
  readonly onClose: () => void
}

/** One sweep: its addresses, its transactions with those that were replaced, what it cost, what was booked, and its errors. */
export function SweepDrawer({ id, onPrevious, onNext, onClose }: SweepDrawerProps) {
  const { data: sweep, error, refetch } = useQuery(sweepQuery(id))
  return (
    <Drawer
      title={t`Sweep ${id}`}
      width={800}
      onClose={onClose}
      onPrevious={onPrevious}
      onNext={onNext}
      foot={sweep && <Actions key={id} sweep={sweep} />}
    >
      {sweep !== undefined && <SweepFacts sweep={sweep} />}
      {sweep === undefined && error === null && <Loading />}
      {sweep === undefined && error !== null && <Missing error={error} onRetry={() => void refetch()} />}
    </Drawer>
  )
}

function Actions({ sweep }: { sweep: SweepDetail }) {
  const mayWrite = useCan()('sweep:write')
  const [isAsking, setAsking] = useState(false)
  const { retry } = useSweepChanges()
  const { status, sentBy } = sweep
  const isAwaited = sentBy === 'own-wallet' && status === 'sweep-initiated'
  const isSent = status === 'broadcast' || status === 'sweep-initiated'
  const isOfServer = sentBy === 'hot-wallet' && isSent
  // What a block holds cannot be replaced any more.
  const isOfDevice = sentBy === 'device' && isSent && sweep.waits?.code !== 'CONFIRMATIONS'
  return (
    <>
      {mayWrite && (isOfServer || isOfDevice) && (
        <Button kind={sweep.waits?.code === 'STUCK' ? 'primary' : 'secondary'} onClick={() => setAsking(true)}>
          <Trans>Raise the fee</Trans>
        </Button>
      )}
      {mayWrite && isAwaited && <AwaitedActions sweep={sweep} />}
      <CopyButton label={t`report`} value={reportOf(sweep)} />
      {isAsking && (
        <RaiseFeeDialog
          {...(isOfDevice
            ? {
                text: t`The same coins, so nothing is moved twice. Your device signs the new batch; until then the old one stays valid.`,
                done: t`The new batch waits for your device, on the page Funds.`,
              }
            : { text: t`Same transaction slot: nothing is moved twice.` })}
          onSend={(maxFee) => retry(sweep.id, maxFee)}
          failureText={(thrown) => {
            const { message, details } = asRequestError(thrown)
            return details ?? message
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}

/** All data of a sweep as JSON, for support. */
function reportOf(sweep: SweepDetail): string {
  return JSON.stringify(sweep, null, 2)
}

function Missing({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const failure = asRequestError(error)
  if (failure.code !== 'SWEEP_NOT_FOUND') {
    return <ErrorState title={t`Sweep couldn’t be loaded`} error={failure} onRetry={onRetry} />
  }
  return (
    <EmptyState
      icon={<SearchX aria-hidden strokeWidth={1.75} />}
      title={t`There’s no sweep with this number here`}
      text={t`It may belong to another project.`}
    />
  )
}

function Loading() {
  return (
    <div className="flex flex-col gap-6">
      <Skeleton width={200} height={40} />
      <Skeleton height={64} />
      <Skeleton height={220} />
      <LoadingText text={t`Loading the sweep`} />
    </div>
  )
}
