import { plainBase58 } from '@kassa/keys/solana/address.ts'
import { type Instruction, signedTransaction, writeMessage } from '@kassa/keys/solana/message.ts'
import { openTokenAccount as openAccount, transferToken as transferBetween } from '@kassa/keys/solana/movement.ts'
import { ed25519 } from '@noble/curves/ed25519.js'
import { tokenAccountOf } from '../../solana/addresses/token-accounts.ts'

/** A key of somebody who pays on a local chain. */
export type Payer = { readonly address: string; readonly seed: Uint8Array }

/** The payer of an ed25519 seed. */
export function payerOf(seed: Uint8Array): Payer {
  return { address: plainBase58(ed25519.getPublicKey(seed)), seed }
}

/** Opens the account of an owner for a token unless it is there. */
export function openTokenAccount(payer: string, owner: string, mint: string): Instruction {
  return openAccount(payer, { account: tokenAccountOf(owner, mint), owner, mint })
}

/** Moves units of a token between the accounts of two owners. */
export function transferToken(
  mint: string,
  move: { readonly from: string; readonly to: string; readonly units: bigint; readonly decimals: number },
): Instruction {
  const { from: owner, to, units, decimals } = move
  const [source, target] = [owner, to].map((one) => tokenAccountOf(one, mint)) as [string, string]
  return transferBetween(mint, { owner, source, target, units, decimals })
}

/** Signs a transaction of these instructions, whose fee its one signer pays (https://solana.com/docs/core/transactions). */
export function signTransaction(payer: Payer, blockhash: string, instructions: readonly Instruction[]): Uint8Array {
  const message = writeMessage({ payer: payer.address, blockhash, instructions })
  return signedTransaction(message, ed25519.sign(message, payer.seed))
}
