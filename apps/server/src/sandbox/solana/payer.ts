import { tokenAccountOf } from '@kassa/chains/solana/addresses/token-accounts.ts'
import { type LocalSolana, Refused } from '@kassa/chains/testing/solana-node/chain.ts'
import {
  openTokenAccount,
  payerOf,
  signTransaction,
  transferToken,
} from '@kassa/chains/testing/solana-node/transactions.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'
import type { Instruction } from '@kassa/keys/solana/message.ts'
import { transferCoin } from '@kassa/keys/solana/movement.ts'
import { ASSETS } from '@kassa/primitives/chains/assets.ts'
import { SANDBOX_SOLANA_TOKENS } from '@kassa/primitives/chains/sandbox-tokens.ts'

import type { Paid, SandboxChain } from '../sandbox-chain.ts'

/** SHA-256 of "kassa sandbox solana payer": public, and nothing outside a local chain. */
const SEED = Buffer.from('9f63f8741bb7f4751f7fe8c9db607093c6f4e383c751460135d5594aeead9848', 'hex')

const TOKEN_DECIMALS = 6

/** Where a token account keeps its units, in eight bytes. */
const UNITS_AT = 64

/** The payer of the sandbox on Solana. */
export const solanaPayerAccount = payerOf(SEED)

/** Pays on the local chain of Solana as a wallet would; a token's receiver gets its account with the first payment. */
export function solanaPayer(local: LocalSolana): Pick<SandboxChain, 'pay' | 'payLookAlike' | 'balances'> {
  const from = solanaPayerAccount.address
  let payments = 0n
  const send = (instructions: readonly Instruction[]): Paid => {
    payments += 1n
    // What it sends itself moves nothing, and tells this payment from the one before.
    const apart = transferCoin(from, from, payments)
    const bytes = signTransaction(solanaPayerAccount, local.head().hash, [apart, ...instructions])
    const [txHash = ''] = local.send(bytes)
    const found = local.find(txHash)
    if (!found || found.executed.error !== null) throw new Error(`The sandbox payment ${txHash} failed on SOLANA`)
    return { txHash, height: found.block.slot }
  }
  const payToken = (mint: string, to: string, units: bigint): Paid => {
    requireMeans(units, tokenUnits(local, mint))
    const move = { from, to, units, decimals: TOKEN_DECIMALS }
    return send([openTokenAccount(from, to, mint), transferToken(mint, move)])
  }
  return {
    pay: async ({ asset, to, units }) => {
      const mint = asset.addresses.sandbox
      if (asset.blockchain !== 'SOLANA' || mint === null) throw new Error(`${asset.currency} is not on SOLANA`)
      if (asset.standard !== 'native') return payToken(mint, to, units)
      requireMeans(units, coinUnits(local))
      try {
        return send([transferCoin(from, to, units)])
      } catch (thrown) {
        if (!(thrown instanceof Refused)) throw thrown
        // An account must hold what it costs to keep it.
        return refuseAmount('An address of Solana can not hold as little as this')
      }
    },
    payLookAlike: async ({ to, units }) => payToken(SANDBOX_SOLANA_TOKENS.lookAlikeUsdc, to, units),
    balances: async () =>
      ASSETS.flatMap((asset) => {
        const mint = asset.addresses.sandbox
        if (asset.blockchain !== 'SOLANA' || mint === null) return []
        return [{ asset, units: asset.standard === 'native' ? coinUnits(local) : tokenUnits(local, mint) }]
      }),
  }
}

function coinUnits(local: LocalSolana): bigint {
  return local.machine().account(solanaPayerAccount.address)?.lamports ?? 0n
}

function tokenUnits(local: LocalSolana, mint: string): bigint {
  const account = local.machine().account(tokenAccountOf(solanaPayerAccount.address, mint))
  return account ? Buffer.from(account.data).readBigUInt64LE(UNITS_AT) : 0n
}

function requireMeans(units: bigint, held: bigint): void {
  if (units > held) refuseAmount('The payer of the sandbox has less than this amount')
}

function refuseAmount(message: string): never {
  return fail('VALIDATION_FAILED', { message, fields: { amount: message } })
}
