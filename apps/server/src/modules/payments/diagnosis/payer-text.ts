/** The sentence of a verdict for the payer (screens.md 3.43). */
import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'

import type { Decision, Money } from './rules.ts'

export type TextFacts = {
  /** Who asks for the payment, by name. */
  readonly shop: string
  readonly asked: Pick<Money, 'currencyCode' | 'blockchainCode'> | null
  /** The least amount of the asset that is credited, decimal text; null when it is unknown. */
  readonly minimum: string | null
}

/** Returns the sentence of a verdict. */
export type VerdictText = (decision: Decision, textFacts: TextFacts) => string

/** The sentence of a verdict: what happened and what to do next. */
export const payerText: VerdictText = (decision, textFacts) => SENTENCES[decision.verdict](decision, textFacts)

const SENTENCES: Readonly<Record<Decision['verdict'], VerdictText>> = {
  credited: ({ money, cause }) =>
    cause === 'counted_elsewhere'
      ? `${amountText(money)} arrived on ${networkName(money?.blockchainCode)}, another network than asked, and counts for this request.`
      : `${amountText(money)} already paid this.`,
  confirming: ({ confirmations, confirmationsRequired, cause }) => {
    const depth = `${confirmations ?? 0} of ${confirmationsRequired ?? 0} confirmations.`
    return cause === 'missed'
      ? `It is on the network and was not noticed here. It is being read again now: look again in a minute. ${depth}`
      : `It was seen: ${depth} Nothing to do: this page updates by itself.`
  },
  pending: ({ blockchainCode }) =>
    `It is on its way: ${networkName(blockchainCode)} knows it, and it is not yet in a block. With a low fee this can take long; your wallet may offer to raise it.`,
  chain_behind: ({ blockchainCode, cause, lagBlocks }) =>
    cause === 'silent'
      ? `${networkName(blockchainCode)} does not answer us right now. A payment there is found a little later by itself; nothing is lost.`
      : `It is there, and we are ${lagBlocks ?? 0} blocks behind on ${networkName(blockchainCode)}. That is on our side: it will be found, nothing to do.`,
  wrong_network: ({ money, cause }, { shop, asked }) => {
    const where = `It is on ${networkName(money?.blockchainCode)}; this page asked for ${networkName(asked?.blockchainCode)}.`
    if (cause === 'unwatched')
      return `${where} Nobody reads that network here, but the address is one of ${shop}: ask ${shop}.`
    return `${where} ${amountText(money)} is safe at an address of ${shop}, who can count it or send it back.`
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
      ? `${amountText(money)} is below the minimum of ${minimum} ${money?.currencyCode ?? ''}. Ask ${shop}.`
      : `${amountText(money)} is below the minimum that is credited. Ask ${shop}.`,
  failed_on_chain: ({ blockchainCode }) =>
    `${networkName(blockchainCode)} rejected it: the money never left the sender, at most the fee was spent. You can pay again.`,
  replaced: ({ blockchainCode }) =>
    `Another transaction of the sender took its place on ${networkName(blockchainCode)}. If your wallet sped it up, your wallet shows the new hash: paste that one here. Pay again only if nothing else was sent.`,
  held: ({ money, cause }, { shop }) => {
    if (cause === 'quarantined')
      return `${amountText(money)} arrived; someone at ${shop} is looking at it. Nothing to do.`
    if (cause === 'late')
      return `${amountText(money)} arrived after the time was up. ${shop} holds it for you and can count it or send it back: ask ${shop}.`
    return `${amountText(money)} arrived and does not count for this request by itself. ${shop} holds it for you: ask ${shop}.`
  },
  not_found: ({ cause }) =>
    cause === 'unrecorded'
      ? `No matching payment has arrived for this request. Check what you typed, and that you paid to the address on this page. Exchanges often wait 10 to 60 minutes before they send; the transaction hash finds a payment for certain.`
      : `No network we watch knows this hash yet. Wait 5 minutes and check the hash. Exchanges often wait 10 to 60 minutes before they send.`,
}

/** An amount with its currency. */
export function amountText(money: Money | null): string {
  return money ? `${money.amount} ${money.currencyCode}` : 'The money'
}

/** A network by its name. */
export function networkName(code: string | null | undefined): string {
  return code ? (findBlockchain(code)?.name ?? code) : 'another network'
}
