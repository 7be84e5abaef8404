import type { BalanceRow } from '@kassa/contract/sweeps/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'

import { networkName } from '../../../labels/networks/network-name.ts'
import { sweepWait, wayOutOf } from '../../../labels/sweep-labels.ts'
import { paths } from '../../../lib/paths.ts'
import { count } from '../../../lib/text/format.ts'
import { dayAndMinute } from '../../../lib/time/time.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { LinkButton } from '../../../ui/actions/LinkButton.tsx'
import { TextLink } from '../../../ui/actions/TextLink.tsx'
import { Amount } from '../../../ui/facts/Amount.tsx'
import { StatusBadge } from '../../../ui/facts/StatusBadge.tsx'
import { TruncatedName } from '../../../ui/facts/TruncatedName.tsx'
import type { Column } from '../../../ui/list/columns.ts'

export type FundsActions = {
  /** False for those who may only look. */
  readonly maySweep: boolean
  readonly onSweep: (row: BalanceRow) => void
  readonly onApprove: (row: BalanceRow) => void
}

/** What the table of funds shows of each row. */
export function fundsColumns(actions: FundsActions): Column<BalanceRow>[] {
  return [
    {
      key: 'wallet',
      label: t`Wallet`,
      cell: ({ walletName }) => <TruncatedName name={walletName} widens />,
      card: 'title',
    },
    { key: 'network', label: t`Network`, cell: ({ blockchainCode }) => networkName(blockchainCode), card: 'badge' },
    // The amount names it too.
    { key: 'asset', label: t`Asset`, cell: ({ currencyCode }) => currencyCode, card: 'none', shrink: 1 },
    {
      key: 'addresses',
      label: t`Addresses`,
      align: 'end',
      cell: ({ addressCount }) => count(addressCount),
      card: 'foot',
      cardLabel: true,
      shrink: 2,
    },
    {
      key: 'amount',
      label: t`Amount`,
      align: 'end',
      cell: ({ amount, currencyCode, amountUSD }) => (
        <Amount value={amount} currency={currencyCode} usd={amountUSD ?? undefined} />
      ),
      card: 'line',
    },
    {
      key: 'state',
      label: t`State and next step`,
      cell: (row) => <NextStep row={row} {...actions} />,
      card: 'line',
      grows: true,
    },
  ]
}

function NextStep({ row, ...actions }: { row: BalanceRow } & FundsActions) {
  const { lastSweepError: error, action } = row
  return (
    <span className="flex flex-col gap-1 py-2 whitespace-normal max-sm:py-0">
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <State row={row} />
        {actions.maySweep && row.manual && <Step row={row} {...actions} />}
      </span>
      {action === 'sweep' && row.manual && row.waits !== null && <Besides waits={row.waits} />}
      {error !== null && action !== 'sweep_in_progress' && <LastError error={error} />}
    </span>
  )
}

function State({ row }: { row: BalanceRow }) {
  const { action, manual, waits, nextProbableSweepAt: next, sweptCount, addressCount } = row
  if (action === 'sweep_in_progress') return <InProgress row={row} text={sweepingText(sweptCount, addressCount)} />
  if (!manual && (action === 'sweep' || waits?.code === 'NOT_DUE')) {
    return (
      <span className="text-muted">
        {next === null ? t`Swept automatically` : t`Swept automatically, next about ${dayAndMinute(next)}`}
      </span>
    )
  }
  if (action === 'sweep') return <StatusBadge tone="success" word={t`Ready`} wire={action} />
  if (action === 'pending_approval') {
    return <StatusBadge tone="warning" word={t`Needs permission`} wire={waits?.code ?? action} />
  }
  const way = wayOutOf(waits)
  return (
    <span className="text-muted">
      {sweepWait(waits) ?? t`Cannot be swept`}
      {way !== undefined && action !== 'deploy_deposit_wallet' && (
        <>
          {' '}
          <TextLink href={way.href}>{way.label}</TextLink>
        </>
      )}
    </span>
  )
}

function sweepingText(swept: number | null, all: number): string {
  return swept === null ? t`Sweeping` : t`Sweeping ${count(swept)} of ${count(all)}`
}

function InProgress({ row: { sweepInProgressID: id }, text }: { row: BalanceRow; text: string }) {
  return (
    <span className="flex flex-wrap items-center gap-x-3">
      <StatusBadge tone="progress" word={text} />
      {id !== null && (
        <TextLink href={paths.sweeps({ tabId: 'History', open: String(id) })}>
          <Trans>Follow it</Trans>
        </TextLink>
      )}
    </span>
  )
}

/** The press that brings a row on. */
function Step({ row, onSweep, onApprove }: { row: BalanceRow } & FundsActions) {
  if (row.action === 'sweep') {
    return (
      <Button size="small" onClick={() => onSweep(row)}>
        <Trans>Sweep</Trans>
      </Button>
    )
  }
  if (row.action === 'pending_approval') {
    return (
      <Button size="small" onClick={() => onApprove(row)}>
        <Trans>Approve</Trans>
      </Button>
    )
  }
  if (row.action !== 'deploy_deposit_wallet') return null
  return (
    <LinkButton size="small" href={paths.deploySweepContract()}>
      <Trans>Deploy contract</Trans>
    </LinkButton>
  )
}

/** What else is to be known of money that can be swept: when it goes by itself, or that somebody proposes another collector. */
function Besides({ waits }: { waits: NonNullable<BalanceRow['waits']> }) {
  const way = wayOutOf(waits)
  return (
    <span className="text-dense text-muted">
      {sweepWait(waits)}
      {way !== undefined && (
        <>
          {' '}
          <TextLink href={way.href}>{way.label}</TextLink>
        </>
      )}
    </span>
  )
}

/** What went wrong the last time, and whether it is tried again without anybody. */
function LastError({ error }: { error: NonNullable<BalanceRow['lastSweepError']> }) {
  const way = wayOutOf(error.cause)
  const why = sweepWait(error.cause) ?? error.reason
  return (
    <span className="text-dense text-danger-text">
      {error.retryable ? t`Last try: ${why}. It is tried again by itself.` : t`Last try: ${why}.`}
      {way !== undefined && (
        <>
          {' '}
          <TextLink href={way.href}>{way.label}</TextLink>
        </>
      )}
    </span>
  )
}
