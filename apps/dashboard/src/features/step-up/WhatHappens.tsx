import { STEP_UP_LINES, type StepUpLines } from '@kassa/contract/auth/step-up-lines.ts'
import { addressGroups } from '@kassa/primitives/address-groups.ts'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'

import { networkName } from '../../labels/networks/network-name.ts'
import { reasonText, type Words } from '../../labels/reason-text.ts'
import { Banner } from '../../ui/feedback/Banner.tsx'
import type { Description } from './use-description.ts'

const LINES: Words<StepUpLines> = {
  wallet_linked: ({ project, family, wallet, ...of }) => {
    const source = sourceText(of)
    return t`Customers of ${project} get their addresses of ${family} from the wallet “${wallet}” (${source}).`
  },
  wallet_replaced: ({ project, family, former, wallet, ...of }) => {
    const source = sourceText(of)
    return t`New customers of ${project} get their addresses of ${family} from the wallet “${wallet}” (${source}), no longer from “${former}”.`
  },
  wallet_change_waits: ({ hours }) =>
    t`It takes effect after ${hours} hours. Until then it can be withdrawn, and every root gets an e-mail about it.`,
  payout_rule_changed: ({ project, rule, from, to }) =>
    t`Payout policy of ${project}: ${ruleName(rule)} becomes ${to}, no longer ${from}.`,
  sending_resumes: ({ project }) => t`Sending from ${project} resumes: waiting payouts may be sent.`,
  payout_to: ({ project, amount, currency, chain, address, name }) => {
    const [to, network] = [grouped(address), networkName(chain)]
    return name === ''
      ? t`${project} pays ${amount} ${currency} on ${network} to ${to}.`
      : t`${project} pays ${amount} ${currency} on ${network} to ${name}, ${to}.`
  },
  payout_refund: ({ reference }) => t`It refunds the payment ${reference}.`,
  payout_reward: ({ amount, currency, email }) =>
    t`It pays out ${amount} ${currency} of rewards to the promoter ${email}.`,
  payout_payer_wallet: () => t`Warning: a customer whom the promoter brought has paid from this address.`,
  payout_words: ({ words }) => t`Word check: ${words}. They are the same on every screen that shows this payout.`,
  payout_list: ({ count }) =>
    plural(count, { one: 'You approve # payout.', other: 'You approve # payouts, all of them or none.' }),
  payout_batch: ({ count }) =>
    plural(count, { one: 'You request # payout.', other: 'You request # payouts, all of them or none.' }),
  payout_list_total: ({ amount, currency, chain, count }) => {
    const network = networkName(chain)
    return plural(count, {
      one: `Together ${amount} ${currency} on ${network}, in # payout.`,
      other: `Together ${amount} ${currency} on ${network}, in # payouts.`,
    })
  },
  payout_list_words: ({ words }) => t`Word check of the list: ${words}.`,
  payout_fee_raised: ({ amount, currency }) =>
    t`It is sent again in the same transaction slot, so it can’t be paid twice, for at most ${amount} ${currency} of network fee.`,
  customers_keep_addresses: () => t`Customers who have an address keep it.`,
  hot_wallet_created: ({ family, wallet, purposes, limit }) => {
    const purpose = purposeText(purposes)
    return t`The server makes a key of ${family} for ${purpose}, the hot wallet “${wallet}”, and can spend its balance (limit $${limit}).`
  },
  hot_wallet_imported: ({ family, wallet, purposes, limit, address: whole }) => {
    const [purpose, address] = [purposeText(purposes), grouped(whole)]
    return t`The server keeps the key of ${address} (${family}) for ${purpose}, as the hot wallet “${wallet}”, and can spend its balance (limit $${limit}).`
  },
  cold_wallet_added: ({ blockchain, wallet, address: whole, hours }) => {
    const address = grouped(whole)
    return hours === 0
      ? t`${address} on ${blockchain} becomes the cold wallet “${wallet}”: money can be sent there at once.`
      : t`${address} on ${blockchain} becomes the cold wallet “${wallet}”: money can be sent there in ${hours} hours.`
  },
  collector_confirmed: ({ blockchain, contract, former: earlier, address, wallet }) => {
    const [to, former] = [grouped(address), grouped(earlier)]
    return earlier === address
      ? t`Money that the sweep contract ${contract} gathers on ${blockchain} goes to ${to}, the cold wallet “${wallet}”.`
      : t`Money that the sweep contract ${contract} gathers on ${blockchain} goes to ${to}, the cold wallet “${wallet}”, no longer to ${former}.`
  },
  contract_registered: ({ blockchain, contract, address, transaction }) => {
    const to = grouped(address)
    return t`Deposit addresses on ${blockchain} will approve the sweep contract ${contract} (transaction ${transaction}), which sends what they hold to ${to}.`
  },
  contract_status: ({ blockchain, contract, status }) =>
    status === 'active'
      ? t`The sweep contract ${contract} on ${blockchain} is used again.`
      : t`The sweep contract ${contract} on ${blockchain} is used no longer.`,
}

/** Says an address so that it can be compared with the one its owner holds. */
function grouped(address: string): string {
  return addressGroups(address).join(' ')
}

function sourceText({ fingerprint, contract }: { fingerprint: string; contract?: string | undefined }): string {
  return contract === undefined ? t`key ${fingerprint}` : t`contract ${contract}`
}

function purposeText(purposes: 'gas' | 'payout' | 'both'): string {
  if (purposes === 'both') return t`network fees and payouts`
  return purposes === 'gas' ? t`network fees` : t`payouts`
}

/** A rule of the payout policy as its screen calls it; an unknown one by its name. */
function ruleName(rule: string): string {
  if (rule === 'autoApproveLimitInUSD') return t`the limit without approval, in US dollars,`
  if (rule === 'hourlyLimitInUSD') return t`the limit of an hour, in US dollars,`
  if (rule === 'dailyLimitInUSD') return t`the limit of a day, in US dollars,`
  if (rule === 'quorum') return t`the number of approvals`
  if (rule === 'quorumRules') return t`the list of further approvals`
  if (rule === 'fourEyes') return t`the rule of four eyes`
  if (rule === 'allowList') return t`the allow list`
  if (rule === 'recipientDelayHours') return t`the delay of new addresses, in hours,`
  return rule
}

/** What the server says will happen, line by line: the proof holds for exactly that. `children` stand where it says nothing. */
export function WhatHappens({ description, children }: { description: Description; children: ReactNode }) {
  const { action, failure } = description
  const lines = action?.display.lines ?? []
  return (
    <>
      {failure !== undefined && <Banner tone="danger">{failure}</Banner>}
      {lines.length === 0 ? (
        <p className="text-body text-muted">{children}</p>
      ) : (
        <div className="flex flex-col gap-2 text-body">
          <p className="text-muted">
            <Trans>This is what will happen. What you confirm is exactly this.</Trans>
          </p>
          <ul className="list-disc ps-5">
            {lines.map((line) => (
              <li key={`${line.code} ${line.text}`} className="break-words">
                {reasonText(STEP_UP_LINES, LINES, line)}
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  )
}
