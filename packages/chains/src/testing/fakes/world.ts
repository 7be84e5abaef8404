import { factsOf } from '../../evm/network/facts.ts'
import type { Chain, TransferFilter } from '../../adapter.ts'
import { toHex, toQuantity } from '../../evm/encoding/hex.ts'
import { TRANSFER_TOPIC } from '../../evm/blocks/transfers.ts'
import type { WireLog } from '../../evm/encoding/wire.ts'
import type { Random } from './random.ts'
import type { ForgedTx, Frame } from './forged.ts'

/** What a forger knows: the chain, which addresses are ours, and which contracts are listed. */
export type World = {
  readonly random: Random
  readonly chain: Chain
  readonly ours: readonly [string, ...string[]]
  readonly tokens: readonly [Token, ...Token[]]
  readonly nativeId: number
  readonly filter: TransferFilter
}
export type Token = { readonly assetId: number; readonly address: string }

/** Addresses of ours in one corpus: enough that several are hit in one transaction. */
const OURS = 8

/** Opens a world with addresses of its own. */
export function worldOf(chain: Chain, random: Random): World {
  const mine = Array.from({ length: OURS }, () => random.hex(20))
  const keys = new Set(mine)
  const [first = '', ...others] = mine
  const listed = chain.assets.filter(({ standard }) => standard === 'ERC20')
  const [token, ...more] = listed.map(({ id, address }) => ({ assetId: id, address: address.toLowerCase() }))
  const native = chain.assets.find(({ standard }) => standard === 'native')
  if (!token || !native) throw new Error(`${chain.blockchain.code} has no token or no coin`)
  const filter = {
    assets: new Set(chain.assets.map(({ id }) => id)),
    matches: (key: Uint8Array) => keys.has(toHex(key)),
  }
  return { random, chain, ours: [first, ...others], tokens: [token, ...more], nativeId: native.id, filter }
}

/** An address or an amount as one word of 32 bytes. */
export function word(value: string | bigint): string {
  const digits = typeof value === 'bigint' ? value.toString(16) : value.slice(2)
  return `0x${digits.padStart(64, '0')}`
}

/** The log of a transfer as ERC-20 writes it. */
export function transferLog(address: string, from: string, to: string, units: bigint): WireLog {
  return { address, topics: [TRANSFER_TOPIC, word(from), word(to)], data: word(units) }
}

/** A call that moves value inside a transaction. */
export function callFrame(from: string, to: string, value: bigint, changes: Partial<Frame> = {}): Frame {
  return { type: 'CALL', from, to, value: toQuantity(value), ...changes }
}

/** A log that is no transfer, as honest contracts write between theirs. */
export function noiseLog({ random }: World): WireLog {
  const topics = Array.from({ length: random.below(5) }, () => random.hex(32))
  return { address: random.hex(20), topics, data: random.hex(random.below(4) * 32) }
}

/** A transaction that truly brings money, in one of the three ways it can. */
export function trueTransfer(world: World): ForgedTx {
  const { random, ours, tokens, nativeId } = world
  const [to, units] = [random.pick(ours), random.units()]
  const way = random.below(3)
  if (way === 0) return { to, value: units, owed: [{ assetId: nativeId, to, units, leg: 'value' }] }
  const system = factsOf(world.chain).nativeTransferLog
  if (way === 1 && system) {
    const logs = [noiseLog(world), transferLog(system, random.hex(20), to, units)]
    return { logs, owed: [{ assetId: nativeId, to, units, leg: 'log:1' }] }
  }
  if (way === 1) {
    const calls = [callFrame(random.hex(20), random.hex(20), 0n), callFrame(random.hex(20), to, units)]
    return { calls, owed: [{ assetId: nativeId, to, units, leg: `internal:${to}:0` }] }
  }
  const token = random.pick(tokens)
  const logs = [noiseLog(world), transferLog(token.address, random.hex(20), to, units)]
  return { to: token.address, logs, owed: [{ assetId: token.assetId, to, units, leg: 'log:1' }] }
}
