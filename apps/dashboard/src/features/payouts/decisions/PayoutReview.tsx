import type { Withdrawal } from '@kassa/contract/withdrawals/schemas.ts'
import { plural, t } from '@lingui/core/macro'

import { networkName } from '../../../labels/networks/network-name.ts'
import { payeeName, payoutWaitNext } from '../../../labels/payout-labels.ts'
import { Address } from '../../../ui/facts/Address.tsx'
import { Amount } from '../../../ui/facts/Amount.tsx'
import { KeyValue } from '../../../ui/facts/KeyValue.tsx'

/** The payout to decide about, unshortened. */
export function PayoutReview({ payout }: { payout: Withdrawal }) {
  const name = payeeName(payout)
  const { earlierPayouts: earlier, note, words } = payout
  const next = payoutWaitNext(payout)
  return (
    <KeyValue
      rows={[
        {
          label: t`Amount`,
          value: (
            <Amount value={payout.amount} currency={payout.currencyCode} usd={payout.amountInUSD ?? undefined} full />
          ),
        },
        {
          label: t`To`,
          value: <Address value={payout.toAddress} full {...(name !== undefined && { name })} />,
        },
        { label: t`Network`, value: networkName(payout.blockchainCode) },
        {
          label: t`History`,
          value: plural(earlier, {
            0: 'First payout to this address',
            one: '# earlier payout to this address',
            other: '# earlier payouts to this address',
          }),
        },
        ...(next === undefined
          ? []
          : [{ label: t`Afterwards`, value: <span className="text-warning-text">{next}</span> }]),
        ...(note === '' ? [] : [{ label: t`Note`, value: note }]),
        { label: t`Word check`, value: <span className="font-medium">{words}</span> },
      ]}
    />
  )
}
