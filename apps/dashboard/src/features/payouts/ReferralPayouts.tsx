import type { ReferralPayout } from '@kassa/contract/referral/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Gift } from 'lucide-react'
import { useState } from 'react'

import { meQuery, useCan } from '../../api/me.ts'
import { referralPayoutsQuery, waitingReferralPayoutsQuery } from '../../api/referral-payouts.ts'
import { asRequestError } from '../../api/request-error.ts'
import { ALL_PROJECTS } from '../../lib/navigation/current-project.ts'
import { useSearchState } from '../../lib/navigation/search.ts'
import { assetAmount } from '../../lib/text/format.ts'
import { Button } from '../../ui/actions/Button.tsx'
import { SearchBox } from '../../ui/actions/SearchBox.tsx'
import { FilterBar } from '../../ui/filters/FilterBar.tsx'
import { EmptyState } from '../../ui/places/EmptyState.tsx'
import { PageHead } from '../../ui/places/PageHead.tsx'
import { DataTable } from '../../ui/table/DataTable.tsx'
import { ApproveDialog } from './decisions/ApproveDialog.tsx'
import { ApproveListDialog } from './decisions/ApproveListDialog.tsx'
import { RejectDialog } from './decisions/EndDialogs.tsx'
import { approvalObstacle, mayDecide } from './decisions/who-may.ts'
import { isNarrowed, payoutFields, payoutFilter } from './list/payout-filter.ts'
import { ExportReferralPayouts } from './referral/ExportReferralPayouts.tsx'
import { MinimumPayout } from './referral/MinimumPayout.tsx'
import { referralPayoutColumns } from './referral/referral-payout-columns.tsx'
import { ReferralTiles } from './referral/ReferralTiles.tsx'

type Asked = { readonly decision: 'approve' | 'reject'; readonly payout: ReferralPayout }

/** Withdrawals that promoters asked for: each is approved by a person, one after the other. */
export function ReferralPayouts({ projectId }: { projectId: string }) {
  const can = useCan()
  const { data: me } = useQuery(meQuery)
  const [search] = useSearchState()
  const { type: _type, ...filter } = payoutFilter(search, 'all', new Date())
  const page = useQuery(referralPayoutsQuery(projectId, filter))
  const [asked, setAsked] = useState<Asked>()
  const rows = page.data?.data
  const isMine = (row: ReferralPayout) =>
    row.status === 'pending-approval' &&
    mayDecide(can, row) &&
    me !== undefined &&
    approvalObstacle(row, me.id) === undefined
  const waiting = useQuery(waitingReferralPayoutsQuery(projectId))
  // What the promoter may have taken from themselves, or somebody else from them, is looked at on its own.
  const isClean = (row: ReferralPayout) => !row.isPayerWallet && row.waitsNext === null
  const clean = waiting.data?.data.filter((row) => isMine(row) && isClean(row)) ?? []
  const [next] = clean
  const [isAsking, setIsAsking] = useState(false)
  const columns = referralPayoutColumns({
    hasSeveralProjects: projectId === ALL_PROJECTS,
    decide: (payout) =>
      isMine(payout)
        ? {
            approve: () => setAsked({ decision: 'approve', payout }),
            reject: () => setAsked({ decision: 'reject', payout }),
          }
        : undefined,
  })
  const close = () => setAsked(undefined)
  return (
    <>
      <PageHead
        title={t`Referral payouts`}
        text={<MinimumPayout />}
        primary={
          next && (
            <>
              {clean.length > 1 && (
                <Button onClick={() => setIsAsking(true)}>
                  <Trans>Approve several</Trans>
                </Button>
              )}
              <Button kind="primary" onClick={() => setAsked({ decision: 'approve', payout: next })}>
                <Trans>Approve next</Trans>
              </Button>
            </>
          )
        }
      />
      <ReferralTiles projectId={projectId} />
      <DataTable
        caption={t`Referral payouts`}
        columns={columns}
        rows={rows}
        rowKey={({ id }) => String(id)}
        rowName={({ rewardAmount, rewardCurrencyCode, referrer }) => {
          const amount = assetAmount(rewardAmount, rewardCurrencyCode)
          return t`${amount} for ${referrer.email}`
        }}
        error={page.error === null ? null : asRequestError(page.error)}
        onRetry={() => void page.refetch()}
        refreshing={page.isFetching && page.isPlaceholderData}
        toolbar={
          <>
            <SearchBox label={t`Search referral payouts`} placeholder={t`Address, hash, e-mail or number`} />
            <FilterBar
              fields={payoutFields().filter(({ key }) => key !== 'type')}
              columns={columns.map(({ label, sortBy }) => ({ label, sortBy }))}
            />
            {rows !== undefined && rows.length > 0 && <ExportReferralPayouts projectId={projectId} filter={filter} />}
          </>
        }
        empty={<Nothing isFiltered={isNarrowed(search)} />}
        paging={{ nextCursor: page.data?.nextCursor ?? null, total: page.data?.total, isSized: true }}
      />
      {isAsking && <ApproveListDialog payouts={clean} onClose={() => setIsAsking(false)} />}
      {asked?.decision === 'approve' && <ApproveDialog payout={asked.payout} onClose={close} />}
      {asked?.decision === 'reject' && <RejectDialog payout={asked.payout} onClose={close} />}
    </>
  )
}

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  const icon = <Gift aria-hidden strokeWidth={1.75} />
  if (!isFiltered) return <EmptyState icon={icon} title={t`No promoter has asked for a payout.`} />
  return (
    <EmptyState
      icon={icon}
      title={t`No referral payout matches.`}
      text={t`Clear the search and the filters to see more.`}
    />
  )
}
