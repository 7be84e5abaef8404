/** What a project or its networks lack before they take payments, and why a payment waits for its network. */
import { MISSING, NETWORK_OBSTACLES, PAYMENT_WAITS } from '@kassa/contract/payments/readiness.ts'
import type { PaymentDetail, Readiness } from '@kassa/contract/payments/schemas.ts'
import { plural, t } from '@lingui/core/macro'

import { listText } from '../lib/text/list-text.ts'
import { worded, type Words } from './worded.ts'

const MISSING_WORDS: Words<typeof MISSING> = {
  site_url: () => t`Set the address under which people reach this server.`,
  node: () => t`Add a node for at least one network.`,
  asset: () => t`Accept a currency on a network that has a node.`,
  wallet: ({ networks }) => {
    const names = listText(networks, 'conjunction')
    return t`Add a deposit wallet for ${names}.`
  },
}

const OBSTACLE_WORDS: Words<typeof NETWORK_OBSTACLES> = {
  switched_off: () => t`It is switched off.`,
  no_node: () => t`It has no node.`,
  stopped: ({ reason }) => reason,
  not_read: ({ network }) => t`${network} is not read yet.`,
  behind: ({ network, lagBlocks }) => {
    const blocks = plural(lagBlocks, { one: '# block', other: '# blocks' })
    return t`${network} answers slowly: ${blocks} behind.`
  },
  no_wallet: () => t`No deposit wallet is linked.`,
}

const WAIT_WORDS: Words<typeof PAYMENT_WAITS> = {
  network_not_followed: ({ network, obstacle }) => {
    const safe = t`${network} is not followed right now. Money on its way is found and confirmed as soon as it is again; none is lost.`
    if (obstacle === null) return safe
    const why = worded(NETWORK_OBSTACLES, OBSTACLE_WORDS, obstacle)
    return t`${safe} Why: ${why}`
  },
}

/** Returns what a project lacks, as a request to set it up. */
export function missingText({ kind, params, text }: Readiness['missing'][number]): string {
  return worded(MISSING, MISSING_WORDS, { code: kind, params, text })
}

/** Returns why a network does not take payments. */
export function obstacleText({ kind, params, text }: Readiness['chains'][number]['reasons'][number]): string {
  return worded(NETWORK_OBSTACLES, OBSTACLE_WORDS, { code: kind, params, text })
}

/** Returns why nothing happens to a payment although it waits for its network. */
export function paymentWaitText(waits: NonNullable<PaymentDetail['waits']>): string {
  return worded(PAYMENT_WAITS, WAIT_WORDS, waits)
}
