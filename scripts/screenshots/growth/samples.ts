/** What a programme of an hour does not show: rewards in every state, and withdrawals on their way. */
import { wirePayout } from '../../../apps/dashboard/src/testing/payout-answers.ts'
import { API, type Changes, type Row } from '../answers.ts'

export const R = `${API}/external-platform/*/referral`

const REASON = {
  reason: 'The payment was refunded, whole or in part.',
  reversal: { code: 'PAYMENT_REFUNDED', params: {}, text: 'The payment was refunded, whole or in part.' },
}

const STATES: readonly Row[] = [
  { status: 'pending' },
  { status: 'held' },
  { status: 'processed' },
  { status: 'pending', givenAmount: '41.235', amount: '20.6175', ...REASON },
  { status: 'reversed', amount: '0', ...REASON },
]

/** Rewards of a list in one state after the other. */
export function inEveryState(answer: Row): Row {
  const rows = answer.data as readonly Row[] | undefined
  return rows === undefined
    ? answer
    : { ...answer, data: rows.map((row, at) => ({ ...row, ...STATES[at % STATES.length] })) }
}

/** A withdrawal of rewards as it waits for its approval. */
function payout(id: number, more: Row): Row {
  const AT = new Date(Date.now() - id * 3_600_000).toISOString()
  return wirePayout({
    ...{
      id,
      createdAt: AT,
      updatedAt: AT,
      type: 'withdrawal',
      amount: '40',
      amountInUSD: '40.00',
      recipientID: null,
      recipientName: 'K7Q2M9A',
      earlierPayouts: 0,
    },
    ...{ rewardAmount: '40', rewardCurrencyCode: 'USD', availableBefore: '120', isPayerWallet: false, note: '' },
    ...{ approvals: { required: 1, given: [], byOthersOnly: false }, waits: null, waitReason: null },
    ...more,
  })
}

const who = (id: number, code: string, email: string) => ({ referrer: { id, code, email: `${email}@people.example` } })

const PAYOUTS: readonly Row[] = [
  payout(8, { ...who(1, 'K7Q2M9A', 'maya.okafor') }),
  payout(7, { ...who(2, 'H4XW8PD', 'jonas.lindqvist'), rewardAmount: '1240.5', amount: '1240.5', isPayerWallet: true }),
  payout(6, { ...who(5, 'ZB3C7KN', 'wilhelmina-von-und-zu-hohenlohe-schillingsfuerst'), status: 'pending' }),
  payout(5, {
    ...who(3, 'T9RV2JE', 'sofia.marchetti'),
    status: 'sent',
    currencyCode: 'ETH',
    blockchainCode: 'ETH',
    amount: '0.0125',
  }),
  payout(4, { ...who(3, 'T9RV2JE', 'sofia.marchetti'), status: 'processed' }),
  payout(3, { ...who(4, 'M5DY6QF', 'amir.haddad'), status: 'rejected', failureReason: 'We could not reach you' }),
  payout(2, { ...who(4, 'M5DY6QF', 'amir.haddad'), status: 'failed' }),
]

/** Withdrawals in every state, put into what the server says of none. */
export const WITH_PAYOUTS: Changes = {
  [`${R}/payouts?*`]: (answer: Row) => ({ ...answer, data: PAYOUTS, total: PAYOUTS.length }),
  [`${R}/referrers/*/withdrawals*`]: (answer: Row) => ({ ...answer, data: PAYOUTS.slice(3, 6), total: 3 }),
  [`${R}/payouts/metrics`]: () => ({ waiting: 3, processed30d: '12840.50', failed30d: 1 }),
}
