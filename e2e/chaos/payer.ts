/** A customer with deep pockets who pays straight at the nodes of the local chains, many transfers at once. */
import { findAsset } from '@kassa/primitives/chains/assets.ts'
import type { BlockchainCode } from '@kassa/primitives/chains/blockchain.ts'

import { payerAddress } from '../../apps/server/src/sandbox/payer-account.ts'
import { callNode } from '../../apps/server/src/sandbox/node-call.ts'
import { until } from '../until.ts'
import { createLock } from './strikes.ts'

export type Transfer = {
  readonly blockchain: BlockchainCode
  /** The asset's id in the catalogue. */
  readonly assetId: number
  readonly to: string
  readonly units: bigint
}

export type Payer = {
  /** Sends the transfers of one chain in this order and resolves to their ids when all are mined. */
  readonly send: (blockchain: BlockchainCode, transfers: readonly Transfer[]) => Promise<string[]>
  /** Units sent so far, by the asset's id. */
  readonly sent: ReadonlyMap<number, bigint>
}

/** Enough for a token's transfer to any receiver. */
const GAS = '0x30d40'

/** Pays at the nodes that `urlOf` names at the time. */
export function openPayer(urlOf: (code: BlockchainCode) => string): Payer {
  const sent = new Map<number, bigint>()
  // One after the other on each chain: two at once would take the same place in the payer's order.
  const locks = new Map<BlockchainCode, ReturnType<typeof createLock>>()
  const lockOf = (code: BlockchainCode) => {
    const lock = locks.get(code) ?? createLock()
    locks.set(code, lock)
    return lock
  }
  async function sendAll(url: string, transfers: readonly Transfer[]): Promise<string[]> {
    // A node that was started again knows no promises of the one before.
    await callNode(url, 'anvil_impersonateAccount', payerAddress)
    const first = Number(await callNode<string>(url, 'eth_getTransactionCount', payerAddress, 'pending'))
    const hashes: string[] = []
    for (const [at, transfer] of transfers.entries()) {
      const nonce = `0x${(first + at).toString(16)}`
      const call = { from: payerAddress, nonce, gas: GAS, ...callOf(transfer) }
      hashes.push(await callNode<string>(url, 'eth_sendTransaction', call))
      sent.set(transfer.assetId, (sent.get(transfer.assetId) ?? 0n) + transfer.units)
    }
    for (const hash of hashes) await isMined(url, hash)
    return hashes
  }
  return {
    sent,
    send: (blockchain, transfers) => lockOf(blockchain)(() => sendAll(urlOf(blockchain), transfers)),
  }
}

function callOf({ assetId, to, units }: Transfer): { to: string; value?: string; data?: string } {
  const asset = findAsset(assetId)
  const token = asset?.addresses.sandbox
  if (!asset || token === null || token === undefined) throw new Error(`Asset ${assetId} is not in the sandbox`)
  if (asset.standard === 'native') return { to, value: `0x${units.toString(16)}` }
  // transfer(address,uint256): ERC-20.
  return { to: token, data: `0xa9059cbb${word(to.slice(2))}${word(units.toString(16))}` }
}

function word(hex: string): string {
  return hex.toLowerCase().padStart(64, '0')
}

async function isMined(url: string, hash: string): Promise<void> {
  const receipt = await until(
    `transaction ${hash} to be mined`,
    () => callNode<{ status: string } | null>(url, 'eth_getTransactionReceipt', hash),
    (found) => found !== null,
    120_000,
  )
  if (receipt?.status !== '0x1') throw new Error(`The transfer ${hash} failed on its chain`)
}
