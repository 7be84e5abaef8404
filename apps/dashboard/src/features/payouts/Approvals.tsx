import type { Withdrawal } from '@kassa/contract/withdrawals/schemas.ts'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'

import { payoutsQuery } from '../../api/payouts.ts'
import { asRequestError } from '../../api/request-error.ts'
import { paths } from '../../lib/paths.ts'
import { count } from '../../lib/text/format.ts'
import { Button } from '../../ui/actions/Button.tsx'
import { LinkButton } from '../../ui/actions/LinkButton.tsx'
import { LoadingText, Skeleton } from '../../ui/feedback/Skeleton.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { EmptyState } from '../../ui/places/EmptyState.tsx'
import { ErrorState } from '../../ui/places/ErrorState.tsx'
import { PageHead } from '../../ui/places/PageHead.tsx'
import { ApprovalCard } from './approvals/ApprovalCard.tsx'
import { ApproveListDialog } from './decisions/ApproveListDialog.tsx'

/** As many wait on one screen; the others follow as these are decided. */
const MOST = 100

/** Payouts that wait for people: what is approved is bytes, not a picture of them. */
export function Approvals({ projectId }: { projectId: string }) {
  const own = useQuery(payoutsQuery(projectId, { waitingFor: 'me', limit: MOST, order: 'asc' }))
  const rest = useQuery(payoutsQuery(projectId, { waitingFor: 'others', limit: MOST, order: 'asc' }))
  const isRead = own.data !== undefined && rest.data !== undefined
  const found = own.data?.data ?? []
  // What the policy has since withheld from who requested it would be refused, and in a list the others with it.
  const withheld = found.filter(({ approvals }) => approvals.byOthersOnly)
  const mine = found.filter(({ approvals }) => !approvals.byOthersOnly)
  const others = [...withheld, ...(rest.data?.data ?? [])]
  const total = (own.data?.total ?? 0) + (rest.data?.total ?? 0)
  const shown = mine.length + others.length
  const error = own.error ?? rest.error
  const [isAsking, setIsAsking] = useState(false)
  const list = useRef<HTMLDivElement>(null)
  useGoneNotice(projectId, isRead ? [...mine, ...others] : undefined)
  const waiting = (own.data?.total ?? 0) - withheld.length
  const toNext = () => list.current?.querySelector<HTMLElement>('[data-approve-of] button')?.focus()
  return (
    <>
      <PageHead
        title={t`Approvals`}
        text={waiting > 0 ? plural(waiting, { one: '# waits for you', other: '# wait for you' }) : undefined}
        primary={
          mine.length > 1 && (
            <>
              <Button onClick={() => setIsAsking(true)}>
                <Trans>Approve several</Trans>
              </Button>
              <Button kind="primary" onClick={toNext}>
                <Trans>Approve next</Trans>
              </Button>
            </>
          )
        }
      />
      {!isRead && error !== null && (
        <ErrorState
          title={t`Approvals couldn’t be loaded`}
          error={asRequestError(error)}
          onRetry={() => void Promise.all([own.refetch(), rest.refetch()])}
        />
      )}
      {!isRead && error === null && <Loading />}
      {isRead && (
        <div ref={list} className="flex flex-col gap-6">
          {mine.length === 0 && <Nothing hasOthers={others.length > 0} />}
          {mine.length > 0 && <Cards label={t`Waits for you`} rows={mine} mayDecide onDecided={toNext} />}
          {others.length > 0 && (
            <Cards label={t`Waits for others`} rows={others} mayDecide={false} onDecided={toNext} />
          )}
          {total > shown && (
            <p className="text-body text-muted">
              {t`The oldest ${count(shown)} of ${count(total)} are shown; the others follow as you decide.`}
            </p>
          )}
        </div>
      )}
      {isAsking && <ApproveListDialog payouts={mine} onClose={() => setIsAsking(false)} />}
    </>
  )
}

type CardsProps = {
  readonly label: string
  readonly rows: readonly Withdrawal[]
  readonly mayDecide: boolean
  readonly onDecided: () => void
}

function Cards({ label, rows, mayDecide, onDecided }: CardsProps) {
  return (
    <section aria-label={label} className="flex flex-col gap-4">
      <h2 className="text-h3 font-semibold">{label}</h2>
      {rows.map((payout) => (
        <ApprovalCard key={payout.id} payout={payout} mayDecide={mayDecide} onDecided={onDecided} />
      ))}
    </section>
  )
}

/** A card that another member decided about disappears with a note; those of another project just do. */
function useGoneNotice(projectId: string, rows: readonly Withdrawal[] | undefined): void {
  const before = useRef<{ readonly projectId: string; readonly ids: readonly number[] }>(undefined)
  useEffect(() => {
    if (rows === undefined) return
    const ids = rows.map(({ id }) => id)
    const known = before.current?.projectId === projectId ? before.current.ids : []
    const gone = known.filter((id) => !ids.includes(id))
    if (gone.length > 0) {
      toast.success(plural(gone.length, { one: '# payout was decided', other: '# payouts were decided' }))
    }
    before.current = { projectId, ids }
  }, [projectId, rows])
}

function Nothing({ hasOthers }: { hasOthers: boolean }) {
  return (
    <EmptyState
      icon={<CircleCheck aria-hidden strokeWidth={1.75} />}
      title={t`Nothing waits for you.`}
      action={
        hasOthers ? undefined : (
          <LinkButton href={paths.payouts({ view: 'waiting' })}>
            <Trans>See all that wait</Trans>
          </LinkButton>
        )
      }
    />
  )
}

function Loading() {
  return (
    <div className="flex flex-col gap-4">
      <Skeleton height={200} />
      <Skeleton height={200} />
      <LoadingText text={t`Loading what waits`} />
    </div>
  )
}
