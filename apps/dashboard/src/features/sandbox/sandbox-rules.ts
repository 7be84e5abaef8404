import type { PaymentDetail } from '@kassa/contract/payments/schemas.ts'
import type { PayCase, Sandbox } from '@kassa/contract/sandbox/schemas.ts'
import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'

/** The most blocks a local chain takes back at once (api.md X3). */
const DEEPEST = 64

/** What the payer does in each case. */
export const CASE_LABELS: Readonly<Record<PayCase, MessageDescriptor>> = {
  exact: msg`The exact amount`,
  under: msg`Too little`,
  over: msg`Too much`,
  late: msg`After it has ended`,
  wrong_token: msg`With a look-alike token`,
  two_parts: msg`In two parts`,
}

/** Returns why the sandbox's payer cannot pay; `undefined` when it can. */
export function cannotPay({ paymentState }: PaymentDetail): string | undefined {
  if (paymentState === 'OPEN' || paymentState === 'PARTIALLY_FILLED') return undefined
  return paymentState === 'CANCELLED' ? t`It has ended. Make a new link.` : t`It is paid.`
}

/** Returns why no block can be taken back; `undefined` when one can. */
export function cannotReorganise(payment: PaymentDetail): string | undefined {
  return newestDeposit(payment) === undefined ? t`No deposit is in a block yet.` : undefined
}

/** Returns how many blocks must go for the newest deposit to go with them, and on which chain. */
export function reorganisation(
  payment: PaymentDetail,
  chains: Sandbox['chains'],
): { code: string; depth: number } | undefined {
  const deposit = newestDeposit(payment)
  const chain = chains.find(({ code }) => code === deposit?.blockchainCode)
  if (deposit === undefined || chain === undefined) return undefined
  const depth = chain.height - (deposit.blockNumber ?? chain.height) + 1
  return { code: chain.code, depth: Math.min(Math.max(1, depth), DEEPEST) }
}

function newestDeposit({ transfers }: PaymentDetail) {
  return transfers.findLast(({ status, blockNumber }) => status !== 'reverted' && blockNumber !== null)
}
