import type { SweepDetail, SweepItem } from '@kassa/contract/sweeps/schemas.ts'
import { t } from '@lingui/core/macro'

import { JournalTable } from '../../../labels/journal/JournalTable.tsx'
import { networkName } from '../../../labels/networks/network-name.ts'
import { sweepBadge, sweepWait, triggerText, wayOutOf } from '../../../labels/sweep-labels.ts'
import { assetAmount, usd } from '../../../lib/text/format.ts'
import { exactTime } from '../../../lib/time/time.ts'
import { Tabs } from '../../../ui/actions/Tabs.tsx'
import { TextLink } from '../../../ui/actions/TextLink.tsx'
import { Address } from '../../../ui/facts/Address.tsx'
import { Amount } from '../../../ui/facts/Amount.tsx'
import { KeyValue, type KeyValueRow } from '../../../ui/facts/KeyValue.tsx'
import { ExplainedBadge } from '../../../ui/facts/ExplainedBadge.tsx'
import { StatusBadge } from '../../../ui/facts/StatusBadge.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { Stepper } from '../../../ui/feedback/Stepper.tsx'
import type { Tone } from '../../../ui/feedback/tones.ts'
import type { Column } from '../../../ui/list/columns.ts'
import { DataTable } from '../../../ui/table/DataTable.tsx'
import { ClockTime } from '../../../ui/time/ClockTime.tsx'

/** One sweep in full: nothing is shortened where money is followed. */
export function SweepFacts({ sweep }: { sweep: SweepDetail }) {
  const { addresses, transactions, errors, waits, status, amountInUSD } = sweep
  const wait = sweepWait(waits)
  const way = wayOutOf(waits)
  const isOver = status === 'failed' || status === 'sweep-cancelled'
  return (
    <div className="flex flex-col gap-6">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <span className="text-h1 font-semibold">
          <Amount value={sweep.amount} currency={sweep.currencyCode} usd={amountInUSD ?? undefined} full />
        </span>
        <StatusBadge {...sweepBadge(sweep)} />
      </div>
      {!isOver && <Stepper label={t`Progress of this sweep`} {...wayOf(sweep)} />}
      {wait !== undefined && (
        <Banner tone={toneOf(sweep)}>
          {wait} {way !== undefined && <TextLink href={way.href}>{way.label}</TextLink>}
        </Banner>
      )}
      <Tabs
        label={t`About this sweep`}
        param="panel"
        tabs={[
          { id: 'facts', label: t`Facts` },
          { id: 'addresses', label: t`Addresses`, count: addresses.length },
          { id: 'transactions', label: t`Transactions`, count: transactions.length },
          { id: 'ledger', label: t`Ledger` },
          { id: 'errors', label: t`Errors`, count: errors.length },
        ]}
      >
        {(tab) => {
          if (tab === 'addresses') return <Addresses sweep={sweep} />
          if (tab === 'transactions') return <Transactions sweep={sweep} />
          if (tab === 'ledger') return <Ledger sweep={sweep} />
          if (tab === 'errors') return <Errors sweep={sweep} />
          return <KeyValue rows={factRows(sweep)} />
        }}
      </Tabs>
    </div>
  )
}

function toneOf({ status, waits }: SweepDetail): Tone {
  if (status === 'failed') return 'danger'
  return waits?.code === 'CONFIRMATIONS' || waits?.code === 'BUSY' ? 'info' : 'warning'
}

function wayOf({ status, confirmations, confirmationRequired }: SweepDetail) {
  const steps = [
    t({ message: 'Planned', context: 'a sweep' }),
    t({ message: 'Started', context: 'a sweep' }),
    status === 'broadcast'
      ? t`Sent ${confirmations}/${confirmationRequired}`
      : t({ message: 'Sent', context: 'a sweep' }),
    t({ message: 'Swept', context: 'a sweep' }),
  ]
  return { steps, current: AT[status] ?? 0 }
}

/** One past the last when it is final. */
const AT: Readonly<Record<string, number>> = { planned: 1, 'sweep-initiated': 2, broadcast: 3, completed: 4 }

function factRows(sweep: SweepDetail): KeyValueRow[] {
  const { networkFee, networkFeeCurrency, networkFeeInUSD, txHash, explorerTransaction } = sweep
  const fee =
    networkFee === null || networkFeeCurrency === null ? undefined : assetAmount(networkFee, networkFeeCurrency)
  return [
    { label: t`To`, value: <Address value={sweep.fundCollectorAddress} full /> },
    { label: t`Arrived`, value: assetAmount(sweep.sweptAmount, sweep.currencyCode) },
    { label: t`Network`, value: networkName(sweep.blockchainCode) },
    { label: t`Wallet`, value: sweep.walletName },
    { label: t`Started by`, value: triggerText(sweep) },
    { label: t`Started`, value: exactTime(sweep.createdAt) },
    ...(fee === undefined
      ? []
      : [{ label: t`Network fee`, value: networkFeeInUSD === null ? fee : `${fee} (${usd(networkFeeInUSD)})` }]),
    ...(txHash === null
      ? []
      : [
          {
            label: t`Transaction`,
            value: (
              <span className="flex flex-wrap items-center gap-2">
                <Address value={txHash} label={t`transaction hash`} full />
                {explorerTransaction !== null && <TextLink href={explorerTransaction} newTab>{t`Look it up`}</TextLink>}
              </span>
            ),
          },
        ]),
  ]
}

function itemState({ state }: SweepItem): { readonly tone: Tone; readonly word: string; readonly wire: string } {
  if (state === 'swept') return { tone: 'success', word: t({ message: 'Swept', context: 'a sweep' }), wire: state }
  if (state === 'failed') return { tone: 'danger', word: t`Left out`, wire: state }
  if (state === 'released') return { tone: 'neutral', word: t`Released`, wire: state }
  return { tone: 'progress', word: t`On its way`, wire: state }
}

function Addresses({ sweep: { addresses, currencyCode } }: { sweep: SweepDetail }) {
  const columns: Column<SweepItem>[] = [
    { key: 'address', label: t`Address`, cell: ({ address }) => <Address value={address} />, card: 'title' },
    {
      key: 'amount',
      label: t`Amount`,
      align: 'end',
      cell: ({ amount }) => <Amount value={amount} currency={currencyCode} />,
      card: 'line',
    },
    { key: 'state', label: t`State`, cell: (item) => <ItemState item={item} />, card: 'badge', grows: true },
  ]
  return (
    <DataTable
      caption={t`Addresses of this sweep`}
      columns={columns}
      rows={addresses}
      rowKey={({ addressID }) => String(addressID)}
      empty={<p className="p-5 text-muted">{t`This sweep has no address.`}</p>}
    />
  )
}

function ItemState({ item }: { item: SweepItem }) {
  return <ExplainedBadge badge={itemState(item)} why={sweepWait(item.waits)} />
}

function Transactions({ sweep: { transactions, networkFeeCurrency } }: { sweep: SweepDetail }) {
  if (transactions.length === 0) return <p className="py-4 text-muted">{t`No transaction has been signed yet.`}</p>
  const unit = networkFeeCurrency ?? ''
  const words = {
    sent: t({ message: 'Sent', context: 'a transaction' }),
    replaced: t({ message: 'Replaced', context: 'a transaction' }),
    mined: t`In a block`,
    failed: t({ message: 'Failed', context: 'a transaction' }),
  }
  return (
    <ol className="divide-y divide-border">
      {transactions.map(({ txHash, explorerTransaction, state, at, fee, maxFee, blockNumber }) => (
        <li key={txHash} className="flex flex-col gap-1 py-3">
          <Address value={txHash} label={t`transaction hash`} full />
          <span className="flex flex-wrap gap-x-3 text-dense text-muted">
            <span>{words[state]}</span>
            <ClockTime at={at} />
            {blockNumber !== null && <span>{t`block ${blockNumber}`}</span>}
            {fee !== null && <span>{t`fee ${assetAmount(fee, unit)}`}</span>}
            {fee === null && maxFee !== null && <span>{t`fee at most ${assetAmount(maxFee, unit)}`}</span>}
            {explorerTransaction !== null && <TextLink href={explorerTransaction} newTab>{t`Look it up`}</TextLink>}
          </span>
        </li>
      ))}
    </ol>
  )
}

/** What was booked: each entry debits accounts and credits others. */
function Ledger({ sweep: { journal } }: { sweep: SweepDetail }) {
  if (journal.length === 0) return <p className="py-4 text-muted">{t`Nothing has been booked for this sweep.`}</p>
  return <JournalTable journal={journal} />
}

function Errors({ sweep: { errors } }: { sweep: SweepDetail }) {
  if (errors.length === 0) return <p className="py-4 text-muted">{t`Nothing went wrong.`}</p>
  return (
    <ol className="divide-y divide-border">
      {errors.map((error) => (
        <li key={`${error.statusCode} ${error.occurredAt.toISOString()} ${error.address ?? ''}`} className="py-3">
          <p>{sweepWait(error.cause) ?? error.reason}</p>
          <p className="mt-0.5 flex flex-wrap gap-x-3 text-dense text-muted">
            <ClockTime at={error.occurredAt} />
            <span>{error.retryable ? t`tried again by itself` : t`needs an operator`}</span>
            {error.address !== null && <Address value={error.address} />}
            {error.txHash !== null && <Address value={error.txHash} label={t`transaction hash`} isHash />}
          </p>
        </li>
      ))}
    </ol>
  )
}
