/**
 * The local chains that run on request, and customers who pay there. The server is their sandbox: it may die while it pays, and
 * then it is unknown whether it did before the chain was read.
 */
import { setTimeout as pause } from 'node:timers/promises'

import { findBitcoinProgram } from '@kassa/chains/testing/bitcoin-node/program.ts'
import { accountNamed } from '@kassa/chains/testing/offline-signer.ts'
import { blockchainChangesRoutes } from '@kassa/contract/blockchains/change-routes.ts'
import { blockchainsRoutes } from '@kassa/contract/blockchains/routes.ts'
import { sandboxRoutes } from '@kassa/contract/sandbox/routes.ts'
import { walletsRoutes } from '@kassa/contract/wallets/routes.ts'
import { findAsset } from '@kassa/primitives/chains/assets.ts'

import { solanaList } from '../../apps/server/src/testing/address-lists.ts'
import { apiOf, Refused } from '../api.ts'
import { TRON_XPUB } from '../shop.ts'
import { until } from '../until.ts'
import { type Order, placeOrder, readOrder } from './orders.ts'
import type { Random } from './random.ts'
import { isPassing } from './retrying-api.ts'
import type { ChaosShop } from './shop.ts'

const hasBitcoin = findBitcoinProgram() !== null

const CHAINS = ['TRX', 'SOLANA', 'POLYGON', ...(hasBitcoin ? ['BTC'] : [])]

/** A coin and a token of each chain that has both, by the asset's id in the catalogue. */
const COINS: readonly number[] = [3, 13, 6, 10, 5, 9, ...(hasBitcoin ? [2] : [])]

/** More than the customers of a long run who pay there. */
const SOLANA_ADDRESSES = 40

const RUNS_WITHIN_MS = 120_000
const READ_WITHIN_MS = 120_000

/** Switches the chains on and gives the shop a wallet of each family. */
export async function openOnRequest({ operator, project }: ChaosShop): Promise<void> {
  const body = { status: 'active' } as const
  await Promise.all(CHAINS.map((x) => operator(blockchainChangesRoutes.changeBlockchain, { params: { x }, body })))
  const projectID = Number(project)
  const tron = { family: 'TRX_Family', xpub: TRON_XPUB }
  const bitcoin = { family: 'BTC_Family', xpub: accountNamed('chaos').publicExtendedKey }
  const wallets = [
    { name: 'TRON', xpubs: [tron] },
    ...(hasBitcoin ? [{ name: 'Bitcoin', xpubs: [bitcoin] }] : []),
    { name: 'Solana', xpubs: [], lists: [solanaList('chaos', { count: SOLANA_ADDRESSES })] },
  ]
  for (const wallet of wallets) await operator(walletsRoutes.addDepositWallet, { body: { projectID, ...wallet } })
}

/** Makes a payment in each coin, `rounds` times, and pays it once; adds what was sent to `sent`. */
export async function payOnRequest(
  { shop, url, random, sent }: { shop: ChaosShop; url: string; random: Random; sent: Map<number, bigint> },
  rounds: number,
): Promise<Order[]> {
  const orders: Order[] = []
  for (let round = 0; round < rounds; round += 1) {
    for (const assetId of COINS) {
      const order = await placeOrder(shop.counter, random, { kind: 'exact', assetId })
      await payOnce(shop, url, order)
      sent.set(assetId, (sent.get(assetId) ?? 0n) + order.due)
      orders.push(order)
    }
  }
  return orders
}

async function payOnce(shop: ChaosShop, url: string, order: Order): Promise<void> {
  const payable = { params: { ref: order.reference }, body: { case: 'exact' as const } }
  for (;;) {
    try {
      await onceItRuns(() => apiOf(url, shop.session)(sandboxRoutes.payAsCustomer, payable))
      return
    } catch (error) {
      if (!isPassing(error)) throw error
      if (await wasPaid(shop, order)) return
    }
  }
}

/** A server that has just started runs no chain on request yet: what it is asked of one is asked again. */
async function onceItRuns<T>(call: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + RUNS_WITHIN_MS
  for (;;) {
    try {
      return await call()
    } catch (error) {
      const isStarting = error instanceof Refused && error.message.includes('"BLOCKCHAIN_NOT_FOUND"')
      if (!isStarting || performance.now() > deadline) throw error
      await pause(250)
    }
  }
}

/**
 * Whether a payment reached its address: known once every block is read that the chain has now, with what waited in the newest.
 * What was read before may be of blocks that the chain lost when it was killed, so that it first grows beyond those.
 */
async function wasPaid({ operator, counter }: ChaosShop, { assetId, reference }: Order): Promise<boolean> {
  const b = findAsset(assetId)?.blockchain ?? ''
  const readHeight = async () => {
    return (await operator(blockchainsRoutes.listBlockchains)).find(({ code }) => code === b)?.height ?? 0
  }
  const mine = { params: { b }, body: { blocks: 1 } }
  const before = await readHeight()
  let height = 0
  while (height <= before) ({ height } = await onceItRuns(() => operator(sandboxRoutes.mineBlocks, mine)))
  await until(`${b} to be read`, readHeight, (read) => read >= height, READ_WITHIN_MS)
  return (await readOrder(counter, reference)).deposits.length > 0
}
