import type { Deposit } from '@kassa/contract/deposits/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'

import { count, fullAmount, usd } from '../../../lib/text/format.ts'
import { networkName } from '../../../labels/networks/network-name.ts'
import { Address } from '../../../ui/facts/Address.tsx'
import { KeyValue } from '../../../ui/facts/KeyValue.tsx'
import type { KeyValueRow } from '../../../ui/facts/KeyValue.tsx'
import { StatusBadge } from '../../../ui/facts/StatusBadge.tsx'
import { TextLink } from '../../../ui/actions/TextLink.tsx'
import { TimeAgo } from '../../../ui/time/TimeAgo.tsx'
import { depositBadge, depositReason, depositWaitText } from '../../../labels/deposit-labels.ts'

export type DepositCardProps = {
  readonly deposit: Deposit
  /** Its page at the explorer of its network. */
  readonly explorer?: string | undefined
  /** What may be done with it. */
  readonly children?: ReactNode
}

/** One transfer: how much, where from, how deep, and why it stands where it does. */
export function DepositCard({ deposit, explorer, children }: DepositCardProps) {
  const { amount, currencyCode, amountInUSD, reason, waits, status } = deposit
  return (
    <div className="rounded-card border border-border bg-surface px-4 pt-3.5 pb-1">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="font-semibold tabular-nums">
          {fullAmount(amount, currencyCode)}
          {amountInUSD !== null && <span className="font-normal text-muted"> ({usd(amountInUSD)})</span>}
        </p>
        <StatusBadge {...depositBadge(deposit)} />
      </div>
      {reason !== null && <p className="mt-1 text-body text-muted">{depositReason(reason)}</p>}
      {waits !== null && <p className="mt-1 text-body">{depositWaitText(waits)}</p>}
      {status === 'seen' && <Confirmations deposit={deposit} />}
      {children !== undefined && <div className="mt-3 flex flex-wrap items-center gap-2">{children}</div>}
      <div className="mt-3 border-t border-border">
        <KeyValue rows={rows(deposit, explorer)} />
      </div>
    </div>
  )
}

function rows(deposit: Deposit, explorer: string | undefined): KeyValueRow[] {
  const { blockchainCode, fromAddress, toAddress, txHash, blockNumber, confirmations, confirmationRequired } = deposit
  return [
    { label: t`Network`, value: networkName(blockchainCode) },
    ...(fromAddress === null
      ? []
      : [{ label: t`From`, value: <Address value={fromAddress} label={t`sender`} full /> }]),
    { label: t`To`, value: <Address value={toAddress} full /> },
    {
      label: t`Transaction`,
      value: (
        <>
          <Address value={txHash} label={t`transaction hash`} full />
          {explorer !== undefined && explorer !== '' && (
            <span className="block">
              <TextLink href={explorer} newTab>
                <Trans>Open in the explorer</Trans>
              </TextLink>
            </span>
          )}
        </>
      ),
    },
    { label: t`Block`, value: blockNumber === null ? t`Not in a block` : count(blockNumber) },
    { label: t`Confirmations`, value: t`${confirmations} of ${confirmationRequired}` },
    { label: t`Seen`, value: <TimeAgo at={deposit.createdAt} /> },
  ]
}

/** How deep a transfer lies, as a thin bar; the numbers stand below it. */
function Confirmations({ deposit: { confirmations, confirmationRequired } }: { deposit: Deposit }) {
  return (
    <progress
      aria-label={t`Confirmations`}
      value={confirmations}
      max={Math.max(1, confirmationRequired)}
      className="mt-3 block h-1 w-full appearance-none overflow-hidden rounded-full bg-sunken [&::-moz-progress-bar]:bg-progress-solid [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-progress-solid"
    />
  )
}
