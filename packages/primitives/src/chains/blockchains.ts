import type { Blockchain, Confirmations, NetworkMode } from './blockchain.ts'
import { base } from './definitions/base.ts'
import { btc } from './definitions/btc.ts'
import { eth } from './definitions/eth.ts'
import { polygon } from './definitions/polygon.ts'
import { solana } from './definitions/solana.ts'
import { trx } from './definitions/trx.ts'

/** Every blockchain Kassa knows, by id. */
export const BLOCKCHAINS: readonly Blockchain[] = [eth, btc, trx, base, polygon, solana]

/** Local chains have one producer and no finality signal: two blocks, depth only. */
const SANDBOX_CONFIRMATIONS = { minimum: 2, largeFromUsd: 0n, large: 2, reorgLimit: 64 } satisfies Confirmations

/** Finds a blockchain by its id, code, alias or name in any case (1, "eth", "TRON", "Ethereum"), or undefined. */
export function findBlockchain(idOrName: number | string): Blockchain | undefined {
  const wanted = String(idOrName).toUpperCase()
  return BLOCKCHAINS.find(
    ({ id, code, aliases, name }) =>
      String(id) === wanted || code === wanted || aliases.includes(wanted) || name.toUpperCase() === wanted,
  )
}

/** Returns the depth at which a deposit is final in a network mode: the chain's own rule, or two blocks on the sandbox. */
export function confirmationsIn(mode: NetworkMode, blockchain: Blockchain): Confirmations {
  return mode === 'sandbox' ? SANDBOX_CONFIRMATIONS : blockchain.confirmations
}
