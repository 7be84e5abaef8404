import { fail } from '@kassa/contract/kit/api-error.ts'
import type { SignedDraft } from '@kassa/contract/sends/wallet-drafts.ts'
import type { CallDraft, WalletCall } from '@kassa/contract/sweep-contracts/wallet-routes.ts'

import type { Context } from '../../../context.ts'
import { findBlockchain } from '../../blockchains/chains/service.ts'
import { draftForWallet, relayFromWallet } from '../../sends/service.ts'
import { parseAddress } from './addresses.ts'
import { readCodeHash } from './read-chain.ts'

/**
 * Writes a contract call for the merchant's own wallet to sign, and says which code is at the address.
 * @throws BLOCKCHAIN_NOT_FOUND, FAMILY_UNSUPPORTED, ADDRESS_INVALID, NODE_UNREACHABLE
 */
export async function draftCall(ctx: Context, b: string, call: WalletCall): Promise<CallDraft> {
  const blockchain = (await findBlockchain(ctx, b)) ?? fail('BLOCKCHAIN_NOT_FOUND')
  const [from, to] = [call.from, call.to].map((text) => parseAddress(ctx, blockchain, text)) as [string, string]
  const intent = { kind: 'call', to, data: call.data, units: 0n } as const
  const draft = await draftForWallet(ctx, blockchain, { from, intent })
  return { ...draft, codeHash: await readCodeHash(ctx, blockchain, to) }
}

/**
 * Gives nodes a call that a wallet signed; refuses a transaction that moves coins or tokens.
 * @throws BLOCKCHAIN_NOT_FOUND, FAMILY_UNSUPPORTED, TRANSACTION_UNREADABLE, TRANSACTION_REFUSED, TRANSACTION_EXPIRED,
 * NODE_UNREACHABLE
 */
export async function sendCall(ctx: Context, b: string, signed: SignedDraft): Promise<string> {
  const blockchain = (await findBlockchain(ctx, b)) ?? fail('BLOCKCHAIN_NOT_FOUND')
  return relayFromWallet(ctx, blockchain, {
    signed,
    kind: 'call',
    isWanted: ({ intent }) => intent.kind === 'call' && intent.units === 0n,
  })
}
