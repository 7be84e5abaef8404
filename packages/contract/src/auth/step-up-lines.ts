/** What a person confirms before money, or its destination, is changed (api.md 2.7): every line with its English sentence. */
import * as z from 'zod/mini'

import { reason, sentence } from '../kit/reason.ts'

const text = z.string()
/** What a hot wallet is for. */
const purposes = z.enum(['gas', 'payout', 'both'])

const PURPOSES = { gas: 'network fees', payout: 'payouts', both: 'network fees and payouts' } as const

export const STEP_UP_LINES = {
  wallet_linked: reason({
    /**
     * `family` is the code of a chain family, `wallet` the name of the wallet, `fingerprint` that of its key; empty where the
     * addresses come from a contract.
     */
    params: z.object({ project: text, family: text, wallet: text, fingerprint: text, contract: z.optional(text) }),
    text: ({ project, family, wallet, fingerprint, contract }) =>
      `Customers of ${project} get their addresses of ${family} from the wallet ${wallet} (${contract === undefined ? `key ${fingerprint}` : `contract ${contract}`}).`,
  }),
  wallet_replaced: reason({
    params: z.object({
      ...{ project: text, family: text, former: text, wallet: text, fingerprint: text },
      contract: z.optional(text),
    }),
    text: ({ project, family, former, wallet, fingerprint, contract }) =>
      `New customers of ${project} get their addresses of ${family} from the wallet ${wallet} (${contract === undefined ? `key ${fingerprint}` : `contract ${contract}`}), no longer from ${former}.`,
  }),
  wallet_change_waits: reason({
    params: z.object({ hours: z.int() }),
    text: ({ hours }) =>
      `It takes effect after ${hours} hours; until then it can be withdrawn, and every root is mailed.`,
  }),
  payout_to: reason({
    /** `amount` with its currency, `address` in full, `name` of the recipient; empty where there is none. */
    params: z.object({ project: text, amount: text, currency: text, chain: text, address: text, name: text }),
    text: ({ project, amount, currency, chain, address, name }) =>
      `${project} pays ${amount} ${currency} on ${chain} to ${address}${name === '' ? '' : ` (${name})`}.`,
  }),
  payout_refund: reason({
    params: z.object({ reference: text }),
    text: ({ reference }) => `It refunds the payment ${reference}.`,
  }),
  payout_reward: reason({
    params: z.object({ amount: text, currency: text, email: text }),
    text: ({ amount, currency, email }) => `It pays out ${amount} ${currency} of rewards to the promoter ${email}.`,
  }),
  payout_payer_wallet: reason({
    params: z.object({}),
    text: () => 'Money of somebody the promoter brought came from this very address.',
  }),
  payout_words: reason({
    /** Four words made of the SHA-256 of what is approved: the same on every screen that shows these bytes. */
    params: z.object({ words: text }),
    text: ({ words }) => `Word check: ${words}.`,
  }),
  payout_list: reason({
    /** How many payouts one confirmation approves; the lines after it name each. */
    params: z.object({ count: z.int() }),
    text: ({ count }) => `It approves ${count} ${count === 1 ? 'payout' : 'payouts'}, all of them or none.`,
  }),
  payout_list_total: reason({
    params: z.object({ amount: text, currency: text, chain: text, count: z.int() }),
    text: ({ amount, currency, chain, count }) =>
      `Together ${amount} ${currency} on ${chain}, in ${count} ${count === 1 ? 'payout' : 'payouts'}.`,
  }),
  payout_batch: reason({
    /** How many payouts one confirmation requests; the lines after it name each. */
    params: z.object({ count: z.int() }),
    text: ({ count }) => `It requests ${count} ${count === 1 ? 'payout' : 'payouts'}, all of them or none.`,
  }),
  payout_list_words: reason({
    /** Four words made of the SHA-256 over the digests of the payouts. */
    params: z.object({ words: text }),
    text: ({ words }) => `Word check of the list: ${words}.`,
  }),
  payout_fee_raised: reason({
    params: z.object({ amount: text, currency: text }),
    text: ({ amount, currency }) =>
      `It is sent again in the same transaction slot, so it cannot be paid twice, for at most ${amount} ${currency} of network fee.`,
  }),
  payout_rule_changed: reason({
    /** `rule` is a field of the payout policy; both values as text, a list with commas. */
    params: z.object({ project: text, rule: text, from: text, to: text }),
    text: ({ project, rule, from, to }) => `Payout policy of ${project}: ${rule} becomes ${to}, no longer ${from}.`,
  }),
  sending_resumes: reason({
    params: z.object({ project: text }),
    text: ({ project }) => `Sending from ${project} resumes: waiting payouts may be sent.`,
  }),
  customers_keep_addresses: sentence('Customers who have an address keep it.'),
  hot_wallet_created: reason({
    /** `limit` is US dollars. */
    params: z.object({ family: text, wallet: text, purposes, limit: text }),
    text: ({ family, wallet, purposes: purpose, limit }) =>
      `The server makes a key of ${family} for ${PURPOSES[purpose]}, the hot wallet ${wallet}, and can spend its balance (limit $${limit}).`,
  }),
  hot_wallet_imported: reason({
    params: z.object({ family: text, wallet: text, purposes, limit: text, address: text }),
    text: ({ family, wallet, purposes: purpose, limit, address }) =>
      `The server keeps the key of ${address} (${family}) for ${PURPOSES[purpose]}, as the hot wallet ${wallet}, and can spend its balance (limit $${limit}).`,
  }),
  cold_wallet_added: reason({
    /** `hours` until it is usable; 0 where it is at once. */
    params: z.object({ blockchain: text, wallet: text, address: text, hours: z.int() }),
    text: ({ blockchain, wallet, address, hours }) =>
      `${address} on ${blockchain} becomes the cold wallet ${wallet}: ${
        hours === 0 ? 'money can be sent there at once' : `money can be sent there in ${hours} hours`
      }.`,
  }),
  collector_confirmed: reason({
    params: z.object({ blockchain: text, contract: text, former: text, address: text, wallet: text }),
    text: ({ blockchain, contract, former, address, wallet }) =>
      `Money that the sweep contract ${contract} gathers on ${blockchain} goes to ${address}, the cold wallet ${wallet}${
        former === address ? '' : `, no longer to ${former}`
      }.`,
  }),
  contract_registered: reason({
    params: z.object({ blockchain: text, contract: text, address: text, transaction: text }),
    text: ({ blockchain, contract, address, transaction }) =>
      `Deposit addresses on ${blockchain} will approve the sweep contract ${contract} (transaction ${transaction}), which sends what they hold to ${address}.`,
  }),
  contract_status: reason({
    params: z.object({ blockchain: text, contract: text, status: z.enum(['active', 'inactive']) }),
    text: ({ blockchain, contract, status }) =>
      status === 'active'
        ? `The sweep contract ${contract} on ${blockchain} is used again.`
        : `The sweep contract ${contract} on ${blockchain} is used no longer.`,
  }),
} as const

export type StepUpLines = typeof STEP_UP_LINES
