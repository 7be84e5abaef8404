import type { ApprovalAddress, ApprovalOverview, InitiatedSweep } from '@kassa/contract/sweeps/approval-schemas.ts'
import type { BalanceRow } from '@kassa/contract/sweeps/schemas.ts'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'

import { useCan } from '../../../api/me.ts'
import { asRequestError } from '../../../api/request-error.ts'
import { useApprovalChanges } from '../../../api/sweep-approvals.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { Address } from '../../../ui/facts/Address.tsx'
import { Amount } from '../../../ui/facts/Amount.tsx'
import { KeyValue } from '../../../ui/facts/KeyValue.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx'
import type { Column } from '../../../ui/list/columns.ts'
import { EmptyState } from '../../../ui/places/EmptyState.tsx'
import { DataTable } from '../../../ui/table/DataTable.tsx'
import { OwnWallet } from './OwnWallet.tsx'

export type ExecuteStepProps = {
  readonly row: BalanceRow
  readonly overview: ApprovalOverview
  readonly approved: readonly ApprovalAddress[]
}

/** Moves the money of approved addresses, a batch at a time: the hot wallet sends it, or the operator's own wallet. */
export function ExecuteStep({ row, overview, approved }: ExecuteStepProps) {
  const maySweep = useCan()('sweep:write')
  const { initiate } = useApprovalChanges(row)
  const [isAsking, setAsking] = useState(false)
  const [isHanding, setHanding] = useState(false)
  const [failure, setFailure] = useState<string>()
  const [handed, setHanded] = useState<InitiatedSweep>()
  const batch = approved.slice(0, overview.batchSize)
  const start = async (by: 'hot' | 'own') => {
    setFailure(undefined)
    try {
      const started = await initiate(
        batch.map(({ addressID }) => addressID),
        by === 'hot',
      )
      if (by === 'own') setHanded(started)
      else toast.success(t`Sweep ${started.sweepID} started`)
      setAsking(false)
    } catch (thrown) {
      setFailure(asRequestError(thrown).message)
    }
  }
  const hand = async () => {
    setHanding(true)
    await start('own')
    setHanding(false)
  }
  if (handed !== undefined) return <OwnWallet row={row} handed={handed} onEnd={() => setHanded(undefined)} />
  const sweepText = plural(batch.length, { one: 'Sweep # address', other: 'Sweep # addresses' })
  return (
    <>
      <End overview={overview} />
      {failure !== undefined && !isAsking && <Banner tone="danger">{failure}</Banner>}
      {maySweep && batch.length > 0 && (
        <div className="flex flex-wrap gap-2">
          <Button kind="primary" onClick={() => setAsking(true)}>
            {sweepText}
          </Button>
          <Button loading={isHanding} onClick={() => void hand()}>
            <Trans>Send it from my own wallet</Trans>
          </Button>
        </div>
      )}
      <DataTable
        caption={t`Approved addresses`}
        columns={columns(row)}
        rows={approved}
        rowKey={({ addressID }) => String(addressID)}
        empty={<EmptyState title={t`No address is approved yet.`} text={t`Approve some first.`} />}
      />
      {isAsking && (
        <ConfirmDialog
          title={t`Sweep to your cold wallet?`}
          action={sweepText}
          danger={false}
          failure={failure}
          onConfirm={() => start('hot')}
          onClose={() => setAsking(false)}
        >
          <div className="flex flex-col gap-4">
            <End overview={overview} />
            <p className="text-dense text-muted">
              <Trans>The contract knows where the money goes; neither this page nor the server can change that.</Trans>
            </p>
          </div>
        </ConfirmDialog>
      )}
    </>
  )
}

/** Where the contract sends what it moves, unshortened. */
function End({ overview: { contract } }: { overview: ApprovalOverview }) {
  if (contract === null) return null
  return <KeyValue rows={[{ label: t`Destination`, value: <Address value={contract.fundCollectorAddress} full /> }]} />
}

function columns({ currencyCode }: BalanceRow): Column<ApprovalAddress>[] {
  return [
    {
      key: 'address',
      label: t`Address`,
      cell: ({ address }) => <Address value={address} />,
      card: 'title',
      grows: true,
    },
    {
      key: 'balance',
      label: t`Balance`,
      align: 'end',
      cell: ({ balance, balanceInUSD }) => (
        <Amount value={balance} currency={currencyCode} usd={balanceInUSD ?? undefined} />
      ),
      card: 'line',
    },
  ]
}
