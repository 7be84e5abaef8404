import type { WithdrawalDetail } from '@kassa/contract/withdrawals/schemas.ts'
import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'
import { plural, t } from '@lingui/core/macro'

import { networkName } from '../../../labels/networks/network-name.ts'
import { approverAdvice, payeeName, payoutBadge, payoutType, payoutWait } from '../../../labels/payout-labels.ts'
import { decidedText } from '../../../labels/policy-labels.ts'
import { paths } from '../../../lib/paths.ts'
import { assetAmount, usd } from '../../../lib/text/format.ts'
import { exactTime } from '../../../lib/time/time.ts'
import { Tabs } from '../../../ui/actions/Tabs.tsx'
import { TextLink } from '../../../ui/actions/TextLink.tsx'
import { Address } from '../../../ui/facts/Address.tsx'
import { Amount } from '../../../ui/facts/Amount.tsx'
import { KeyValue, type KeyValueRow } from '../../../ui/facts/KeyValue.tsx'
import { StatusBadge } from '../../../ui/facts/StatusBadge.tsx'
import { Timeline } from '../../../ui/facts/Timeline.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { Stepper } from '../../../ui/feedback/Stepper.tsx'
import { creatorOf } from '../list/payout-columns.tsx'
import { DeliveriesTab, LedgerTab } from './PayoutTabs.tsx'
import { wayOf } from './payout-steps.ts'
import { methodText, timelineOf } from './timeline.ts'

/** One payout in full: nothing is shortened where money is decided. */
export function PayoutFacts({ payout }: { payout: WithdrawalDetail }) {
  const wait = payoutWait(payout)
  const isOver = ['failed', 'rejected', 'cancelled'].includes(payout.status)
  return (
    <div className="flex flex-col gap-6">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <span className="text-h1 font-semibold">
          <Amount value={payout.amount} currency={payout.currencyCode} usd={payout.amountInUSD ?? undefined} full />
        </span>
        <StatusBadge {...payoutBadge(payout)} />
      </div>
      {!isOver && <Stepper label={t`Progress of this payout`} {...wayOf(payout)} />}
      {wait !== undefined && <Waits payout={payout} text={wait} />}
      {isOver && payout.failureReason !== null && <Banner tone="danger">{payout.failureReason}</Banner>}
      <Tabs
        label={t`About this payout`}
        param="panel"
        tabs={[
          { id: 'facts', label: t`Facts` },
          { id: 'timeline', label: t`Timeline` },
          { id: 'ledger', label: t`Ledger` },
          { id: 'webhooks', label: t`Webhooks`, count: payout.deliveries.length },
        ]}
      >
        {(tab) => {
          if (tab === 'timeline') return <Timeline label={t`Timeline`} events={timelineOf(payout)} />
          if (tab === 'ledger') return <LedgerTab payout={payout} />
          if (tab === 'webhooks') return <DeliveriesTab payout={payout} />
          return <KeyValue rows={factRows(payout)} />
        }}
      </Tabs>
    </div>
  )
}

/** Why it waits, with the way to where that is seen to. */
function Waits({ payout, text }: { payout: WithdrawalDetail; text: string }) {
  const advice = approverAdvice(payout)
  const isUsual = payout.waitReason === 'APPROVAL' || payout.waitReason === 'CONFIRMATIONS'
  const way = advice === undefined ? wayOut(payout.waitReason) : { href: paths.members(), label: t`Open members` }
  return (
    <Banner tone={isUsual && advice === undefined ? 'info' : 'warning'}>
      {advice === undefined ? text : `${text}. ${advice}`}{' '}
      {way !== undefined && <TextLink href={way.href}>{way.label}</TextLink>}
    </Banner>
  )
}

function wayOut(code: string | null): { readonly href: string; readonly label: string } | undefined {
  if (code === 'VAULT_LOCKED') return { href: paths.vault(), label: t`Unlock it` }
  if (code === 'CHAIN_DOWN') return { href: paths.blockchains(), label: t`Look at the nodes` }
  if (code === 'ASSET_OFF') return { href: paths.blockchains(), label: t`Open blockchains` }
  const isFloat = code === 'INSUFFICIENT_FUNDS' || code === 'GAS' || code === 'NO_WALLET' || code === 'WALLET_LOCKED'
  return isFloat ? { href: paths.hotWallets(), label: t`Open hot wallets` } : undefined
}

function factRows(payout: WithdrawalDetail): KeyValueRow[] {
  const name = payeeName(payout)
  const { earlierPayouts: earlier, refundOfReferenceID: refunded, policyDecision: policy } = payout
  const known = plural(earlier, {
    0: 'First payout to this address',
    one: '# earlier payout to this address',
    other: '# earlier payouts to this address',
  })
  return [
    { label: t`To`, value: <Address value={payout.toAddress} full {...(name !== undefined && { name })} /> },
    { label: t`History`, value: known },
    { label: t`Network`, value: networkName(payout.blockchainCode) },
    { label: t`Type`, value: payoutType(payout) },
    ...(refunded === null
      ? []
      : [
          {
            label: t`Refund of`,
            value: (
              <TextLink href={paths.payment({ projectId: payout.externalPlatformID, reference: refunded })}>
                {refunded}
              </TextLink>
            ),
          },
        ]),
    ...(payout.note === '' ? [] : [{ label: t`Note`, value: payout.note }]),
    { label: t`Requested by`, value: creatorOf(payout) },
    { label: t`Requested`, value: exactTime(payout.createdAt) },
    ...(payout.clientReference === null ? [] : [{ label: t`Client reference`, value: payout.clientReference }]),
    { label: t`Policy`, value: <PolicySentence payout={payout} /> },
    { label: t`Daily limit used`, value: t`${usd(policy.limitUsed)} of ${usd(policy.limit)}` },
    { label: t`Approvals`, value: <Approvals payout={payout} /> },
    { label: t`Word check`, value: payout.words },
    ...(payout.fromAddress === null ? [] : [{ label: t`From`, value: <Address value={payout.fromAddress} full /> }]),
    ...(payout.txHash === null ? [] : [{ label: t`Transaction`, value: <Transaction payout={payout} /> }]),
    ...(payout.fee === null ? [] : [{ label: t`Network fee`, value: assetAmount(payout.fee, coinOf(payout)) }]),
  ]
}

/** Network fees are paid in the coin of the network. */
function coinOf({ blockchainCode }: WithdrawalDetail): string {
  return findBlockchain(blockchainCode)?.nativeCurrency ?? ''
}

function PolicySentence({ payout: { policyDecision } }: { payout: WithdrawalDetail }) {
  return (
    <>
      {decidedText(policyDecision)}
      {policyDecision.list !== null && <> {listText(policyDecision.list)}</>}
    </>
  )
}

/** The policy decided about the sum of a list, which explains a rule that the amount alone would not meet. */
function listText({ payouts, amountInUSD }: NonNullable<WithdrawalDetail['policyDecision']['list']>): string {
  const sum = usd(amountInUSD)
  return plural(payouts, {
    one: `Requested in a list of # payout, ${sum}.`,
    other: `Requested in a list of # payouts, ${sum} together. The policy decided about that sum.`,
  })
}

function Approvals({ payout: { approvals } }: { payout: WithdrawalDetail }) {
  if (approvals.required === 0) return t`None needed`
  if (approvals.given.length === 0) return t`None of ${approvals.required} yet`
  return (
    <ul className="flex flex-col gap-1">
      {approvals.given.map((one) => (
        <li key={`${one.memberID} ${one.digest}`} className={one.counts ? '' : 'text-muted line-through'}>
          {one.email}, {exactTime(one.at)}, {methodText(one.method)}
          {!one.counts && <span className="sr-only"> {t`(no longer counts)`}</span>}
        </li>
      ))}
    </ul>
  )
}

function Transaction({ payout: { txHash, explorerTransaction } }: { payout: WithdrawalDetail }) {
  return (
    <span className="flex flex-wrap items-center gap-2">
      <Address value={txHash ?? ''} label={t`transaction hash`} full />
      {explorerTransaction !== null && (
        <TextLink href={explorerTransaction} newTab>
          {t`Look it up`}
        </TextLink>
      )}
    </span>
  )
}
