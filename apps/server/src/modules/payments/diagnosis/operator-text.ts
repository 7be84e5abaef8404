/** The sentence of a verdict for an operator, who is not the payer and needs other next steps (screens.md 3.11). */
import type { Decision } from './rules.ts'
import { networkName as network, amountText as sum, type VerdictText } from './payer-text.ts'

/** The sentence of a verdict: what happened and what to do next. */
export const operatorText: VerdictText = (decision, textFacts) => SENTENCES[decision.verdict](decision, textFacts)

const UNMATCHED = 'It stays unmatched, for this customer: assign it to a payment, or send it back.'
const READ_NOW = 'It was not noticed here and is being read now: look again in a minute.'

const SENTENCES: Readonly<Record<Decision['verdict'], VerdictText>> = {
  credited: ({ money, cause }) =>
    cause === 'counted_elsewhere'
      ? `${sum(money)} arrived on ${network(money?.blockchainCode)}, another network than asked, and is credited.`
      : `${sum(money)} is credited.`,
  confirming: ({ confirmations, confirmationsRequired, cause }) => {
    const depth = `${confirmations ?? 0} of ${confirmationsRequired ?? 0} confirmations.`
    return cause === 'missed' ? `${READ_NOW} ${depth}` : `It was seen: ${depth} It is credited by itself.`
  },
  pending: ({ blockchainCode }) =>
    `${network(blockchainCode)} knows it, and it is not yet in a block. With a low fee this can take long; the customer’s wallet may offer to raise it.`,
  chain_behind: ({ blockchainCode, cause, lagBlocks }) =>
    cause === 'silent'
      ? `No node of ${network(blockchainCode)} answers right now. Look at the nodes; a payment there is found as soon as one answers.`
      : `It is there, and the reader is ${lagBlocks ?? 0} blocks behind on ${network(blockchainCode)}. It is found once the reader is that far.`,
  wrong_network: ({ money, cause }, { asked }) => {
    const where = `${sum(money)} is on ${network(money?.blockchainCode)}; the payment asked for ${network(asked?.blockchainCode)}.`
    if (cause === 'unwatched') return `${where} The address is the customer’s, but nobody reads that network here.`
    return `${where} ${cause === 'missed' ? READ_NOW : UNMATCHED}`
  },
  wrong_token: ({ money, contract, cause }, { asked }) => {
    if (contract)
      return `A token of the contract ${contract} was sent, which is not known here. It is at the customer’s address, where the key of the deposit wallet can move it.`
    const wanted = asked ? `; the payment asked for ${asked.currencyCode}` : ''
    return `${sum(money)} came${wanted}. ${cause === 'missed' ? READ_NOW : UNMATCHED}`
  },
  wrong_address: ({ money }) =>
    money
      ? `It went to ${money.paidTo}, which is no address of a customer here. This money never came to you.`
      : `It pays no address of a customer here. Check that it is the right hash.`,
  not_yours: () => `It belongs to another payment. Check that it is the right hash.`,
  below_minimum: ({ money }, { minimum }) =>
    `${sum(money)} is below the minimum${minimum ? ` of ${minimum} ${money?.currencyCode ?? ''}` : ''}: it is recorded and does not count.`,
  failed_on_chain: ({ blockchainCode }) =>
    `${network(blockchainCode)} rejected it: the money never left the sender. The customer can pay again.`,
  replaced: ({ blockchainCode }) =>
    `Another transaction of its sender took its place on ${network(blockchainCode)}. If it was sped up, the customer’s wallet shows the new hash: look that one up before anybody pays again.`,
  held: ({ money, cause }) => {
    if (cause === 'quarantined')
      return `${sum(money)} arrived and is on hold. Look it up in another explorer, then release it.`
    const why = cause === 'late' ? 'after its payment had ended' : 'and no payment could take it by itself'
    return `${sum(money)} arrived ${why}. ${UNMATCHED}`
  },
  not_found: () =>
    `No network we watch knows this hash yet. Wait 5 minutes and check the hash. Exchanges often wait 10 to 60 minutes before they send.`,
}
