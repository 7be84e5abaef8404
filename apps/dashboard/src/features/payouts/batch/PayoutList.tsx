import type { Withdrawal } from '@kassa/contract/withdrawals/schemas.ts'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { payableRecipientsQuery, payoutBalancesQuery, payoutQuoteQuery } from '../../../api/payouts.ts'
import { asRequestError } from '../../../api/request-error.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { LoadingText, Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import { LeaveGuard } from '../../../ui/forms/LeaveGuard.tsx'
import { Card } from '../../../ui/places/Card.tsx'
import { ErrorState } from '../../../ui/places/ErrorState.tsx'
import { PageActions } from '../../../ui/places/PageActions.tsx'
import { QuoteFacts } from '../create/QuoteFacts.tsx'
import { ChoosePayouts } from './ChoosePayouts.tsx'
import { CreatedList } from './CreatedList.tsx'
import { type CheckedLine, checkLines, type PayoutLine, toRows } from './payout-rows.ts'
import { PayoutLines } from './PayoutLines.tsx'
import { ReviewListDialog } from './ReviewListDialog.tsx'

/** Many payouts from one CSV file: choose it, look at each line and at the sum, confirm once. */
export function PayoutList({ projectId }: { projectId: string }) {
  const recipients = useQuery(payableRecipientsQuery(projectId))
  const balances = useQuery(payoutBalancesQuery(projectId))
  const [lines, setLines] = useState<readonly PayoutLine[]>()
  const [created, setCreated] = useState<readonly Withdrawal[]>()
  const again = () => {
    setLines(undefined)
    setCreated(undefined)
  }
  if (created !== undefined) return <CreatedList projectId={projectId} payouts={created} onAgain={again} />
  const error = recipients.error ?? balances.error
  const retry = () => void Promise.all([recipients.refetch(), balances.refetch()])
  if (recipients.data === undefined || balances.data === undefined) {
    if (error === null) return <Loading />
    return <ErrorState title={t`Recipients couldn’t be loaded`} error={asRequestError(error)} onRetry={retry} />
  }
  if (lines === undefined) {
    return (
      <Card>
        <ChoosePayouts onLines={setLines} />
      </Card>
    )
  }
  const known = { recipients: recipients.data, balances: balances.data }
  return <Checked projectId={projectId} lines={checkLines(lines, known)} onAgain={again} onCreated={setCreated} />
}

type CheckedProps = {
  readonly projectId: string
  readonly lines: readonly CheckedLine[]
  readonly onAgain: () => void
  readonly onCreated: (payouts: readonly Withdrawal[]) => void
}

/** What was read, what it would do, and the one button. */
function Checked({ projectId, lines, onAgain, onCreated }: CheckedProps) {
  // A recipient that is changed meanwhile must not change what is being confirmed.
  const [reviewed, setReviewed] = useState<readonly CheckedLine[]>()
  const wrong = lines.filter(({ problems }) => problems.length > 0).length
  const rows = reviewed === undefined && wrong > 0 ? [] : toRows(reviewed ?? lines)
  const quoted = rows.map(({ recipientID, currencyCode, amount }) => ({ recipientID, currencyCode, amount }))
  const quote = useQuery(payoutQuoteQuery(projectId, quoted))
  const offReason = wrong === 0 ? undefined : t`Correct the file first: either all payouts are requested or none.`
  return (
    <div className="flex flex-col gap-4">
      <Card title={countText(lines.length, wrong)}>
        <div className="flex flex-col gap-4">
          <PayoutLines lines={lines} />
          {wrong === 0 && (
            <section
              aria-label={t`What happens`}
              aria-busy={quote.isFetching}
              className="rounded-card border border-border bg-sunken px-4 py-2"
            >
              {quote.data === undefined && quote.error === null ? <Loading /> : <QuoteFacts quote={quote} />}
            </section>
          )}
          <CheckedActions offReason={offReason} onReview={() => setReviewed(lines)} onAgain={onAgain} />
          {offReason !== undefined && <p className="text-dense text-muted">{offReason}</p>}
        </div>
      </Card>
      <LeaveGuard isDirty={reviewed === undefined} />
      {reviewed !== undefined && (
        <ReviewListDialog
          projectId={projectId}
          lines={reviewed}
          rows={rows}
          quote={quote.data}
          onCreated={onCreated}
          onClose={() => setReviewed(undefined)}
        />
      )}
    </div>
  )
}

type CheckedActionsProps = {
  /** Why nothing can be reviewed. */
  readonly offReason: string | undefined
  readonly onReview: () => void
  readonly onAgain: () => void
}

/** What can be done with what was read; where lines are wrong, another file comes first: on a phone the rest is folded away. */
function CheckedActions({ offReason, onReview, onAgain }: CheckedActionsProps) {
  const isOff = offReason !== undefined
  const review = (
    <Button
      kind={isOff ? 'secondary' : 'primary'}
      disabled={isOff}
      {...(isOff && { title: offReason })}
      onClick={onReview}
    >
      <Trans>Review payouts</Trans>
    </Button>
  )
  const again = (
    <Button kind={isOff ? 'primary' : 'secondary'} onClick={onAgain}>
      <Trans>Another file</Trans>
    </Button>
  )
  return <PageActions primary={isOff ? again : review} others={isOff ? review : again} />
}

function countText(count: number, wrong: number): string {
  const all = plural(count, { one: '# payout', other: '# payouts' })
  if (wrong === 0) return all
  const lines = plural(wrong, { one: '# line is wrong', other: '# lines are wrong' })
  return t`${all}, ${lines}`
}

function Loading() {
  return (
    <div className="flex flex-col gap-3">
      <Skeleton height={48} />
      <Skeleton height={48} />
      <LoadingText text={t`Loading`} />
    </div>
  )
}
