import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Plus, Search } from 'lucide-react'
import { Suspense, useState } from 'react'

import { meQuery, useCan } from '../../api/me.ts'
import { paths } from '../../lib/paths.ts'
import { useSearchState } from '../../lib/navigation/search.ts'
import { Button } from '../../ui/actions/Button.tsx'
import { lazyPart } from '../../ui/overlays/lazy-load.ts'
import { LinkButton } from '../../ui/actions/LinkButton.tsx'
import { PageHead } from '../../ui/places/PageHead.tsx'
import { LoadingText, Skeleton } from '../../ui/feedback/Skeleton.tsx'
import { ExportButton } from './export/ExportButton.tsx'
import { PaymentList } from './list/PaymentList.tsx'
import type { PaymentListProps } from './list/PaymentList.tsx'
import { PaymentViews } from './views/PaymentViews.tsx'
import { SummaryTiles } from './list/SummaryTiles.tsx'
import { FindTransaction } from './unmatched/FindTransaction.tsx'
import { useNamedView } from './views/useNamedView.ts'

const UnmatchedDeposits = lazyPart(async () => {
  const part = await import('./unmatched/UnmatchedDeposits.tsx')
  return { default: part.UnmatchedDeposits }
})

/** Every payment of a project, or of all projects, and the money that belongs to no payment. */
export function AllPayments({ projectId, onListed }: PaymentListProps) {
  const can = useCan()
  const [{ view }] = useSearchState()
  const { data: me } = useQuery(meQuery)
  const isSettling = useNamedView()
  const isUnmatched = view === 'unmatched' && (me === undefined || can('deposit:read', projectId))
  return (
    <>
      <PageHead
        title={t`All payments`}
        primary={can('payment:create', projectId) && <CreateLinkButton projectId={projectId} />}
        actions={<Actions projectId={projectId} isExportable={!isUnmatched} />}
      />
      <PaymentViews projectId={projectId} />
      {isUnmatched ? (
        <Suspense fallback={<Loading />}>
          {me === undefined ? <Loading /> : <UnmatchedDeposits projectId={projectId} />}
        </Suspense>
      ) : (
        <>
          <SummaryTiles projectId={projectId} />
          {!isSettling && <PaymentList projectId={projectId} onListed={onListed} />}
        </>
      )}
    </>
  )
}

function Actions({ projectId, isExportable }: { projectId: string; isExportable: boolean }) {
  const can = useCan()
  const [isFinding, setIsFinding] = useState(false)
  return (
    <>
      {can('payment:resolve', projectId) && (
        <Button icon={<Search strokeWidth={1.75} />} onClick={() => setIsFinding(true)}>
          <Trans>Find a transaction</Trans>
        </Button>
      )}
      {isExportable && <ExportButton projectId={projectId} />}
      {isFinding && <FindTransaction projectId={projectId} onClose={() => setIsFinding(false)} />}
    </>
  )
}

function CreateLinkButton({ projectId }: { projectId: string }) {
  return (
    <LinkButton kind="primary" icon={<Plus aria-hidden strokeWidth={2} />} href={paths.createPayment({ projectId })}>
      <Trans>Create payment link</Trans>
    </LinkButton>
  )
}

function Loading() {
  return (
    <div className="flex flex-col gap-3">
      <Skeleton width="50%" />
      <Skeleton height={240} />
      <LoadingText text={t`Loading unmatched money`} />
    </div>
  )
}
