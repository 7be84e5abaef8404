import type { ApprovalAddress, ApprovalOverview } from '@kassa/contract/sweeps/approval-schemas.ts'
import type { BalanceRow } from '@kassa/contract/sweeps/schemas.ts'
import { plural, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { failureOf } from '../../../api/form-failure.ts'
import { useCan } from '../../../api/me.ts'
import { asRequestError } from '../../../api/request-error.ts'
import { pendingApprovalsQuery, useApprovalChanges } from '../../../api/sweep-approvals.ts'
import { paths } from '../../../lib/paths.ts'
import { useSearchState } from '../../../lib/navigation/search.ts'
import { assetAmount } from '../../../lib/text/format.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { TextLink } from '../../../ui/actions/TextLink.tsx'
import { Address } from '../../../ui/facts/Address.tsx'
import { Amount } from '../../../ui/facts/Amount.tsx'
import { KeyValue } from '../../../ui/facts/KeyValue.tsx'
import { StatusBadge } from '../../../ui/facts/StatusBadge.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import type { Tone } from '../../../ui/feedback/tones.ts'
import type { Column } from '../../../ui/list/columns.ts'
import { EmptyState } from '../../../ui/places/EmptyState.tsx'
import { DataTable } from '../../../ui/table/DataTable.tsx'
import { BatchPanel } from './BatchPanel.tsx'

export type ApproveStepProps = { readonly row: BalanceRow; readonly overview: ApprovalOverview }

/** Addresses that have not allowed their money to be moved: a batch of them is locked, gets its gas and is signed. */
export function ApproveStep({ row, overview }: ApproveStepProps) {
  const maySweep = useCan()('sweep:write')
  const [search, setSearch] = useSearchState()
  const pending = useQuery(pendingApprovalsQuery(row, overview.approvalBatchSize))
  const { request } = useApprovalChanges(row)
  const [isSending, setSending] = useState(false)
  const [failure, setFailure] = useState<string>()
  const rows = pending.data?.data
  const idle = rows?.filter(({ state }) => state === 'idle' || state === 'swept') ?? []
  const batchID = search.batch ?? rows?.find((one) => one.batchID !== null)?.batchID ?? undefined
  const size = Math.min(idle.length, overview.approvalBatchSize)
  const start = async () => {
    setSending(true)
    setFailure(undefined)
    const refused = await failureOf(async () => setSearch({ batch: (await request(size)).batchID }, { replace: true }))
    setFailure(refused)
    setSending(false)
  }
  return (
    <>
      <Gas overview={overview} />
      {batchID !== undefined && <BatchPanel key={batchID} row={row} batchID={batchID} />}
      {maySweep && size > 0 && (
        <div className="flex flex-col items-start gap-2">
          <Button
            kind={batchID === undefined ? 'primary' : 'secondary'}
            loading={isSending}
            onClick={() => void start()}
          >
            {plural(size, { one: 'Prepare # address', other: 'Prepare # addresses' })}
          </Button>
          <p className="text-dense text-muted">
            {t`They are locked for this batch until it is signed, at most half an hour. Where an approval costs gas, the hot wallet sends it.`}
          </p>
        </div>
      )}
      {failure !== undefined && <Banner tone="danger">{failure}</Banner>}
      <DataTable
        caption={t`Addresses without permission`}
        columns={columns(row)}
        rows={rows}
        rowKey={({ addressID }) => String(addressID)}
        error={pending.error === null ? null : asRequestError(pending.error)}
        onRetry={() => void pending.refetch()}
        empty={<EmptyState title={t`Every address is approved.`} />}
      />
    </>
  )
}

/** Where the money will end, and whether the hot wallet can pay for the approvals. */
function Gas({ overview: { contract, gas } }: { overview: ApprovalOverview }) {
  const lacks = Number(gas.balance) < Number(gas.needed)
  return (
    <>
      <KeyValue
        rows={[
          ...(contract === null
            ? []
            : [
                { label: t`Approved contract`, value: <Address value={contract.address} full /> },
                { label: t`Only destination`, value: <Address value={contract.fundCollectorAddress} full /> },
              ]),
          {
            label: t`Gas for approvals`,
            value: t`about ${assetAmount(gas.needed, gas.currency)}; the hot wallet has ${assetAmount(gas.balance, gas.currency)}`,
          },
        ]}
      />
      {gas.hotWalletAddress === null && (
        <Banner tone="warning">
          {t`No hot wallet pays network fees here.`} <TextLink href={paths.hotWallets()}>{t`Add hot wallet`}</TextLink>
        </Banner>
      )}
      {gas.hotWalletAddress !== null && lacks && (
        <Banner tone="warning">
          {t`The hot wallet has too little for all of them.`} <TextLink href={paths.hotWallets()}>{t`Top up`}</TextLink>
        </Banner>
      )}
    </>
  )
}

function columns({ currencyCode }: BalanceRow): Column<ApprovalAddress>[] {
  return [
    {
      key: 'address',
      label: t`Address`,
      cell: ({ address, path }) => (
        <span className="flex min-w-0 flex-col">
          <Address value={address} />
          {path !== null && <span className="font-mono text-caption text-muted">{path}</span>}
        </span>
      ),
      card: 'title',
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
    { key: 'kind', label: t`Signature`, cell: kindText, card: 'foot', shrink: 1 },
    { key: 'state', label: t`State`, cell: (row) => <StatusBadge {...stateOf(row)} />, card: 'badge', grows: true },
  ]
}

function kindText({ kind }: Pick<ApprovalAddress, 'kind'>): string {
  if (kind === 'permit') return t`a permit, without gas`
  if (kind === 'authorization') return t`a delegation, without gas`
  if (kind === 'transfer_tx') return t`the transfer itself`
  return t`an approval, with gas`
}

function stateOf({ state, approvalState, gasState }: ApprovalAddress): { readonly tone: Tone; readonly word: string } {
  if (approvalState === 'broadcast') return { tone: 'progress', word: t`Approval sent` }
  if (approvalState === 'signed') return { tone: 'progress', word: t({ message: 'Signed', context: 'an approval' }) }
  if (approvalState === 'stale') return { tone: 'warning', word: t`Sign again` }
  if (gasState === 'sent') return { tone: 'progress', word: t`Gas on its way` }
  if (state === 'pending-approval') return { tone: 'info', word: t`Waits for its signature` }
  if (state === 'approved') return { tone: 'success', word: t({ message: 'Approved', context: 'an address' }) }
  return { tone: 'neutral', word: t`Not approved` }
}
