import type { BalanceRow } from '@kassa/contract/sweeps/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'

import { asRequestError } from '../../../api/request-error.ts'
import { approvalOverviewQuery, approvedAddressesQuery } from '../../../api/sweep-approvals.ts'
import { networkName } from '../../../labels/networks/network-name.ts'
import { useSearchState } from '../../../lib/navigation/search.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { LoadingText, Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import { Stepper } from '../../../ui/feedback/Stepper.tsx'
import { Drawer } from '../../../ui/overlays/Drawer.tsx'
import { ErrorState } from '../../../ui/places/ErrorState.tsx'
import { ApproveStep } from './ApproveStep.tsx'
import { ExecuteStep } from './ExecuteStep.tsx'

/** The two steps of addresses that have keys of their own: they allow their money to be moved, then it is moved. */
export function ApproveDrawer({ row, onClose }: { row: BalanceRow; onClose: () => void }) {
  const { currencyCode, blockchainCode, walletName } = row
  const [search, setSearch] = useSearchState()
  const overview = useQuery(approvalOverviewQuery(row))
  const approved = useQuery(approvedAddressesQuery(row))
  const isExecuting = search.step === 'execute'
  const error = overview.error ?? approved.error
  const network = networkName(blockchainCode)
  const isNone = (approved.data?.total ?? 0) === 0
  const go = (step: 'approve' | 'execute') => setSearch({ step }, { replace: true })
  const foot = isExecuting ? (
    <Button onClick={() => go('approve')}>
      <Trans>Back to Approve</Trans>
    </Button>
  ) : (
    <Button
      kind={isNone ? 'secondary' : 'primary'}
      disabled={isNone}
      {...(isNone && { title: t`No address is approved yet.` })}
      onClick={() => go('execute')}
    >
      <Trans>Go on to Execute</Trans>
    </Button>
  )
  return (
    <Drawer title={t`${currencyCode} on ${network}, ${walletName}`} width={800} onClose={onClose} foot={foot}>
      <div className="flex flex-col gap-6">
        <Stepper label={t`Steps`} steps={[t`Approve`, t`Execute`]} current={isExecuting ? 1 : 0} />
        {overview.data !== undefined && approved.data !== undefined ? (
          isExecuting ? (
            <ExecuteStep row={row} overview={overview.data} approved={approved.data.data} />
          ) : (
            <ApproveStep row={row} overview={overview.data} />
          )
        ) : error === null ? (
          <Loading />
        ) : (
          <ErrorState
            title={t`Addresses couldn’t be loaded`}
            error={asRequestError(error)}
            onRetry={() => void Promise.all([overview.refetch(), approved.refetch()])}
          />
        )}
      </div>
    </Drawer>
  )
}

function Loading() {
  return (
    <>
      <Skeleton height={72} />
      <Skeleton height={220} />
      <LoadingText text={t`Loading addresses`} />
    </>
  )
}
