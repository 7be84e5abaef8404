/** What a verdict about a transaction says to the payer (screens.md 3.43). */
import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'

import type { Decision, Money } from './rules.ts'

export type Telling = {
  /** Who asks for the payment, by name. */
  readonly shop: string
  readonly asked: Pick<Money, 'currencyCode' | 'blockchainCode'> | null
  /** The least amount of the asset that is credited, decimal text; null when it is unknown. */
  readonly minimum: string | null
}

/** Returns the sentence of a verdict. */
export type Tell = (decision: Decision, telling: Telling) => string

/** The sentence of a verdict: what happened and what to do next. */
export const tell: Tell = (decision, telling) => SENTENCES[decision.verdict](decision, telling)

const SENTENCES: Readonly<Record<Decision['verdict'], Tell>> = {
  credited: ({ money, cause }) =>
    cause === 'counted_elsewhere'
      ? `${sumWord(money)} arrived on ${networkWord(money?.blockchainCode)}, another network than asked, and counts for this request.`
      : `${sumWord(money)} already paid this.`,
  confirming: ({ confirmations, confirmationsRequired, cause }) => {
    const depth = `${confirmations ?? 0} of ${confirmationsRequired ?? 0} confirmations.`
    return cause === 'missed'
      ? `It is on the network and was not noticed here. It is being read again now: look again in a minute. ${depth}`
      : `It was seen: ${depth} Nothing to do, it goes on by itself.`
  },
  pending: ({ blockchainCode }) =>
    `It is on its way: ${networkWord(blockchainCode)} knows it, and it is not yet in a block. With a low fee this can take long; your wallet may offer to raise it.`,
  chain_behind: ({ blockchainCode, cause, lagBlocks }) =>
    cause === 'silent'
      ? `${networkWord(blockchainCode)} does not answer us right now. A payment there is found a little later by itself; nothing is lost.`
      : `It is there, and we are ${lagBlocks ?? 0} blocks behind on ${networkWord(blockchainCode)}. That is on our side: it will be found, nothing to do.`,
  wrong_network: ({ money, cause }, { shop, asked }) => {
    const where = `It is on ${networkWord(money?.blockchainCode)}; this page asked for ${networkWord(asked?.blockchainCode)}.`
    if (cause === 'unwatched')
      return `${where} Nobody reads that network here, but the address is one of ${shop}: ask ${shop}.`
    return `${where} ${sumWord(money)} is safe at an address of ${shop}, who can count it or send it back.`
  },
  wrong_token: ({ money, contract }, { shop, asked }) => {
    const wanted = asked ? `${shop} asked for ${asked.currencyCode}` : `${shop} does not accept it`
    if (contract)
      return `You sent a token of the contract ${contract}; ${wanted}. It lies at an address of ${shop}, who can recover it: ask ${shop}.`
    return `You sent ${money?.currencyCode ?? 'another currency'}; ${wanted}. It is safe at an address of ${shop}, who can count it or send it back.`
  },
  wrong_address: ({ money }, { shop }) =>
    money
      ? `It went to ${money.paidTo}, not to the address of this request. Compare the first and last 6 characters. If ${shop} gave you that address for another request, ask ${shop}; if nobody did, ask your wallet's support.`
      : `This transaction does not pay the address of this request. Check that it is the right hash.`,
  not_yours: () => `It belongs to another request. Check that it is the right hash.`,
  below_minimum: ({ money }, { minimum, shop }) =>
    minimum
      ? `${sumWord(money)} is below the minimum of ${minimum} ${money?.currencyCode ?? ''}. Ask ${shop}.`
      : `${sumWord(money)} is below the minimum that is credited. Ask ${shop}.`,
  failed_on_chain: ({ blockchainCode }) =>
    `${networkWord(blockchainCode)} rejected it: the money never left the sender, at most the fee was spent. You can pay again.`,
  held: ({ money, cause }, { shop }) => {
    if (cause === 'quarantined') return `${sumWord(money)} arrived; someone at ${shop} is looking at it. Nothing to do.`
    if (cause === 'late')
      return `${sumWord(money)} arrived after the time was up. ${shop} holds it for you and can count it or send it back: ask ${shop}.`
    return `${sumWord(money)} arrived and does not count for this request by itself. ${shop} holds it for you: ask ${shop}.`
  },
  not_found: () =>
    `No network we watch knows this hash yet. Wait 5 minutes and check the hash. Exchanges often wait 10 to 60 minutes before they send.`,
}

/** How much of what. */
export function sumWord(money: Money | null): string {
  return money ? `${money.amount} ${money.currencyCode}` : 'The money'
}

/** A network by its name. */
export function networkWord(code: string | null | undefined): string {
  return code ? (findBlockchain(code)?.name ?? code) : 'another network'
}
