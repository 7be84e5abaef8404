import type { FakeTransaction } from '@kassa/chains/testing/fake-chain/transactions.ts'
import { assetsIn as seededAssets } from '@kassa/primitives/chains/assets.ts'

import type { Network } from './families/family.ts'
import type { Process } from './scheduler.ts'
import { type Bill, type SimulatedAsset, type SimulatedChain, waitInTrouble, type World } from './world.ts'

/** What can be sent in this world. */
export function assetsIn({ assets }: World): readonly SimulatedAsset[] {
  return assets
}

/** What can be sent on these chains of a network. */
export function assetsOn(network: Network, chains: readonly SimulatedChain[]): readonly SimulatedAsset[] {
  return seededAssets(network).flatMap(({ id, blockchain, currency, standard, address }) => {
    const chain = chains.find(({ code }) => code === blockchain)
    if (!chain) return []
    return [
      { id, code: currency, token: standard === 'native' ? null : chain.family.spell(address), chain: blockchain },
    ]
  })
}

/** Pays the requested amount, and everything else that people send. */
export async function payer(world: World, process: Process): Promise<void> {
  const { random, scheduler } = world
  let count = 0
  while (!process.isDead) {
    await scheduler.sleep(waitInTrouble(world, [2_000, 40_000]))
    // Mostly the newest payment, sometimes an old one.
    const bill = random.chance(0.7) ? world.bills.at(-1) : random.any(world.bills)
    if (!bill || world.phase !== 'trouble') continue
    replaceOne(world)
    count += 1
    for (const { chain, tx } of pay(world, bill, `${world.seed} ${count}`)) chain.mempool = [...chain.mempool, tx]
  }
}

/** What replaces a waiting transaction as often as another payment is made, where something can. */
const REPLACED = 0.15

type Sending = { readonly chain: SimulatedChain; readonly tx: FakeTransaction }

function pay(world: World, bill: Bill, name: string): Sending[] {
  const { random } = world
  const asset = assetsIn(world).find(({ id }) => id === bill.assetId)
  if (!asset) return []
  const { dueUnits: due, to } = bill
  const chance = random.next()
  const send = (units: bigint, of: SimulatedAsset = asset, suffix = '') =>
    sending(world, of, { name: `${name}${suffix}`, to, units })
  if (chance < 0.4) return send(due)
  if (chance < 0.5) return send((due * BigInt(random.between(10, 99))) / 100n)
  if (chance < 0.57) return send((due * BigInt(random.between(101, 250))) / 100n)
  if (chance < 0.65) return [...send(due / 2n, asset, 'a'), ...send(due - due / 2n, asset, 'b')]
  if (chance < 0.69) return [...send(due, asset, 'a'), ...send(due, asset, 'b')]
  if (chance < 0.73) return send(1n)
  if (chance < 0.8) return send(due, random.any(assetsLike(world, asset)) ?? asset)
  if (chance < 0.88) return batch(world, asset, bill, name)
  if (chance < 0.92) return through(world, asset, bill, name)
  return onChain(world, asset, ({ purse }) => purse.fake(random, { name, to, units: due, token: asset.token }))
}

type Sent = { readonly name: string; readonly to: string; readonly units: bigint }

/** Assets of the chains on which the same addresses exist. */
function assetsLike(world: World, { chain: code }: SimulatedAsset): SimulatedAsset[] {
  const family = familyIn(world, code)
  return assetsIn(world).filter(({ chain }) => familyIn(world, chain) === family)
}

function familyIn({ chains }: World, code: string): string | undefined {
  return chains.find((each) => each.code === code)?.family.name
}

function sending(world: World, asset: SimulatedAsset, sent: Sent): Sending[] {
  return onChain(world, asset, ({ purse }) => purse.send(world.random, { ...sent, token: asset.token }))
}

/** One transaction with several transfers to us, to one address or two. */
function batch(world: World, asset: SimulatedAsset, { to, dueUnits: units }: Bill, name: string): Sending[] {
  const others = world.bills.filter(({ assetId }) => {
    const other = assetsIn(world).find(({ id }) => id === assetId)
    return other && familyIn(world, other.chain) === familyIn(world, asset.chain)
  })
  const made = onChain(world, asset, ({ purse }) =>
    purse.batch({ name, to, units, token: asset.token }, () => (world.random.any(others) ?? { to }).to),
  )
  return made.length > 0 ? made : sending(world, asset, { name, to, units })
}

function through(world: World, asset: SimulatedAsset, { to, dueUnits: units }: Bill, name: string): Sending[] {
  const made = onChain(world, asset, ({ purse }) => purse.through({ name, to, units, token: asset.token }))
  return made.length > 0 ? made : sending(world, asset, { name, to, units })
}

function onChain(
  world: World,
  { chain: code }: SimulatedAsset,
  make: (family: SimulatedChain['family']) => FakeTransaction | null,
): Sending[] {
  const chain = world.chains.find((each) => each.code === code)
  const tx = chain ? make(chain.family) : null
  return chain && tx ? [{ chain, tx }] : []
}

/** Takes a waiting transaction back, or pays another bill with its coin; nodes that know the new one forget the old one. */
function replaceOne({ random, chains, bills }: World): void {
  const chain = chains.find(({ family }) => family.purse.replace !== undefined)
  if (!chain?.family.purse.replace || chain.mempool.length === 0 || !random.chance(REPLACED)) return
  const waiting = random.pick(chain.mempool)
  const bill = random.chance(0.5) ? random.any(bills.filter(({ chainId }) => chainId === chain.id)) : undefined
  const payment = bill ? { name: '', to: bill.to, units: bill.dueUnits, token: null } : null
  const made = chain.family.purse.replace(waiting, payment)
  chain.mempool = [...chain.mempool.filter(({ coin }) => coin !== made.coin), made]
}
