import {
  FAKES,
  type FakeTransaction,
  sendBatch,
  sendCoin,
  sendThroughContract,
  sendToken,
} from '@kassa/chains/testing/fake-chain/transactions.ts'
import { assetsIn as seededAssets } from '@kassa/primitives/chains/assets.ts'

import type { Process } from './scheduler.ts'
import { type Bill, type SimulatedChain, waitInTrouble, type World } from './world.ts'

/** What can be sent on each chain: the contract of a token, or null for its own coin. */
export type SimulatedAsset = {
  readonly id: number
  readonly code: string
  readonly token: string | null
  readonly chain: string
}

/** What can be sent on chains of the sandbox, and on those of a public network. */
const ASSETS = { sandbox: assetsOf('sandbox'), testnet: assetsOf('testnet') } as const

/** What can be sent in this world. */
export function assetsIn({ chaos }: World): readonly SimulatedAsset[] {
  return ASSETS[chaos.hasFinality ? 'testnet' : 'sandbox']
}

function assetsOf(mode: 'sandbox' | 'testnet'): SimulatedAsset[] {
  return seededAssets(mode)
    .filter(({ blockchain }) => blockchain === 'ETH' || blockchain === 'BASE')
    .map(({ id, blockchain, currency, standard, address }) => ({
      id,
      code: currency,
      token: standard === 'native' ? null : address.toLowerCase(),
      chain: blockchain,
    }))
}

const PAYER = '0x00000000000000000000000000000000000000f1'

/** Pays the requested amount, and everything else that people send. */
export async function payer(world: World, process: Process): Promise<void> {
  const { random, scheduler } = world
  let count = 0
  while (!process.isDead) {
    await scheduler.sleep(waitInTrouble(world, [2_000, 40_000]))
    // Mostly the newest payment, sometimes an old one.
    const bill = random.chance(0.7) ? world.bills.at(-1) : random.any(world.bills)
    if (!bill || world.phase !== 'trouble') continue
    count += 1
    for (const { chain, tx } of pay(world, bill, `${world.seed} ${count}`)) chain.mempool = [...chain.mempool, tx]
  }
}

type Sending = { readonly chain: SimulatedChain; readonly tx: FakeTransaction }

function pay(world: World, bill: Bill, name: string): Sending[] {
  const { random } = world
  const asset = assetsIn(world).find(({ id }) => id === bill.assetId)
  if (!asset) return []
  const { dueUnits: due, to } = bill
  const chance = random.next()
  const send = (units: bigint, of: SimulatedAsset = asset, suffix = '') =>
    sending(world, of, { name: `${name}${suffix}`, from: PAYER, to, units })
  if (chance < 0.4) return send(due)
  if (chance < 0.5) return send((due * BigInt(random.between(10, 99))) / 100n)
  if (chance < 0.57) return send((due * BigInt(random.between(101, 250))) / 100n)
  if (chance < 0.65) return [...send(due / 2n, asset, 'a'), ...send(due - due / 2n, asset, 'b')]
  if (chance < 0.69) return [...send(due, asset, 'a'), ...send(due, asset, 'b')]
  if (chance < 0.73) return send(1n)
  if (chance < 0.8) return send(due, random.any(assetsIn(world)) ?? asset)
  if (chance < 0.88) return batch(world, asset, bill, name)
  if (chance < 0.92) return through(world, asset, bill, name)
  return fake(world, asset, bill, name)
}

type Sent = { readonly name: string; readonly from: string; readonly to: string; readonly units: bigint }

function sending(world: World, { token, chain: code }: SimulatedAsset, sent: Sent): Sending[] {
  const chain = world.chains.find((each) => each.code === code)
  if (!chain) return []
  const before = world.random.between(0, 2)
  return [{ chain, tx: token === null ? sendCoin(sent) : sendToken({ ...sent, token, before }) }]
}

/** One transaction with several transfers to us, to one address or two. */
function batch(world: World, asset: SimulatedAsset, bill: Bill, name: string): Sending[] {
  const { token } = asset
  if (token === null) return sending(world, asset, { name, from: PAYER, to: bill.to, units: bill.dueUnits })
  const other = world.random.any(world.bills) ?? bill
  const legs = [bill.to, other.to].map((to) => ({ token, to, units: bill.dueUnits }))
  return onChain(world, asset, sendBatch({ name, from: PAYER, legs }))
}

function through(world: World, asset: SimulatedAsset, { to, dueUnits: units }: Bill, name: string): Sending[] {
  if (asset.token !== null) return sending(world, asset, { name, from: PAYER, to, units })
  return onChain(world, asset, sendThroughContract({ name, from: PAYER, to, units }))
}

function fake(world: World, asset: SimulatedAsset, { to, dueUnits: units }: Bill, name: string): Sending[] {
  const onlyTokens = ['failedToken', 'lookAlike', 'zero', 'collectible'] as const
  const kind =
    asset.token === null ? world.random.pick(['failedCoin', 'frames'] as const) : world.random.pick(onlyTokens)
  return onChain(world, asset, FAKES[kind]({ name, from: PAYER, to, units, token: asset.token ?? '' }))
}

function onChain(world: World, { chain: code }: SimulatedAsset, tx: FakeTransaction): Sending[] {
  return world.chains.filter((each) => each.code === code).map((chain) => ({ chain, tx }))
}
