import { toQuantity } from '../../evm/encoding/hex.ts'
import type { Frame } from './forged.ts'
import type { Forger } from './token-fakes.ts'
import { callFrame, noiseLog, transferLog, type World } from './world.ts'

/** What nodes write beside a call that moved nothing. */
const REASONS: readonly [unknown, ...unknown[]] = [
  'execution reverted',
  'out of gas',
  'invalid opcode: INVALID',
  'stack underflow (0 <=> 1)',
  'x',
  { code: 3 },
  true,
]

/** The sender of EIP-7708's logs, and one that differs by a bit. */
const SYSTEM = '0xfffffffffffffffffffffffffffffffffffffffe'
const NEAR_SYSTEM = '0xffffffffffffffffffffffffffffffffffffffff'

/** Fakes by what was executed, or undone. */
export const executionFakes = {
  E2: ({ dice, ours, tokens }) => {
    const to = dice.pick(ours)
    const calls = [callFrame(dice.hex(20), to, dice.units())]
    // Some tracers do not mark the root of a transaction that failed: the receipt decides.
    const root = dice.pick<Partial<Frame>>([{}, { error: undefined }, { error: '' }])
    const logs = dice.chance(0.3) ? [transferLog(dice.pick(tokens).address, dice.hex(20), to, dice.units())] : []
    return { to: dice.pick([to, dice.hex(20)]), value: dice.units(), isFailed: true, logs, calls, root }
  },
  E3: ({ dice, ours, nativeId }) => {
    const [to, units] = [dice.pick(ours), dice.units()]
    const undone = callFrame(dice.hex(20), to, dice.units())
    const failed = callFrame(dice.hex(20), dice.hex(20), 0n, { error: dice.pick(REASONS), calls: [undone] })
    const kept = callFrame(dice.hex(20), to, units)
    const calls = [within(dice, failed), { ...undone, error: dice.pick(REASONS) }, kept]
    return { calls, owed: [{ assetId: nativeId, to, units, leg: `internal:${to}:0` }] }
  },
  E15: ({ dice, ours, nativeId }) => {
    const [to, units] = [dice.pick(ours), dice.units()]
    const repeat = (type: string) => callFrame(dice.hex(20), to, dice.units(), { type })
    const calls = [
      within(dice, repeat(dice.pick(['DELEGATECALL', 'CALLCODE', 'STATICCALL', 'delegatecall', 'AUTHCALL']))),
      callFrame(dice.hex(20), to, units, { calls: [repeat('DELEGATECALL'), repeat('CALLCODE')] }),
    ]
    return { calls, owed: [{ assetId: nativeId, to, units, leg: `internal:${to}:0` }] }
  },
  E16: ({ dice, ours, nativeId }) => {
    const [to, units, from] = [dice.pick(ours), dice.units(), dice.hex(20)]
    const calls = [callFrame(to, dice.hex(20), units), callFrame(to, dice.hex(20), 0n)]
    return { from, to, value: units, calls, owed: [{ assetId: nativeId, to, units, leg: 'value' }] }
  },
  E17: ({ dice, ours, nativeId }) => {
    const [to, units] = [dice.pick(ours), dice.units()]
    const gone = callFrame(dice.hex(20), to, units, { type: 'SELFDESTRUCT' })
    const born = callFrame(dice.hex(20), dice.hex(20), 0n, { type: dice.pick(['CREATE', 'CREATE2']), calls: [gone] })
    if (dice.chance(0.3)) return { calls: [{ ...born, error: 'execution reverted' }] }
    if (dice.chance(0.2))
      return {
        calls: [
          { ...gone, from: to },
          { ...gone, value: '0x0' },
        ],
      }
    return { calls: [born], owed: [{ assetId: nativeId, to, units, leg: `internal:${to}:0` }] }
  },
  E25: ({ dice, ours, nativeId, chain }) => {
    const [from, to, units] = [dice.hex(20), dice.pick(ours), dice.units()]
    const system = chain.blockchain.nativeTransferLog ?? SYSTEM
    const logs = [transferLog(system, from, to, units)]
    return { from, to, value: units, logs, owed: [{ assetId: nativeId, to, units, leg: 'value' }] }
  },
  E26: (world) => {
    const { dice, ours, chain } = world
    const nobodys = dice.chance(0.5) ? NEAR_SYSTEM : SYSTEM
    const fake = nobodys === chain.blockchain.nativeTransferLog ? NEAR_SYSTEM : nobodys
    const logs = [noiseLog(world), transferLog(fake, dice.hex(20), dice.pick(ours), dice.units())]
    return { logs: dice.shuffle(logs) }
  },
} satisfies Record<string, Forger>

/** Fakes of chains that differ from Ethereum. */
export const chainFakes = {
  E27: ({ dice, ours, nativeId }) => {
    const [from, to, units] = [dice.hex(20), dice.pick(ours), dice.units()]
    const coin = '0x0000000000000000000000000000000000001010'
    const transfer = transferLog(coin, from, to, units)
    const detailed = { ...transfer, topics: [dice.hex(32), ...transfer.topics.slice(1)], data: dice.hex(160) }
    const logs = dice.shuffle([transfer, detailed])
    if (dice.chance(0.5)) return { from, to: coin, logs }
    return { from, to, value: units, logs, owed: [{ assetId: nativeId, to, units, leg: 'value' }] }
  },
  E29: ({ dice, ours, nativeId }) => {
    const [from, to, units] = [dice.hex(20), dice.pick(ours), dice.units()]
    const extra = { type: '0x7e', mint: toQuantity(units), sourceHash: dice.hex(32), isSystemTx: false }
    const isFailed = dice.chance(0.7)
    const root: Partial<Frame> = isFailed && dice.chance(0.5) ? { error: undefined } : {}
    const calls = isFailed ? [callFrame(from, to, units)] : []
    const owed = isFailed ? [] : [{ assetId: nativeId, to, units, leg: 'value' }]
    return { from, to, value: units, extra, isFailed, root, calls, owed }
  },
} satisfies Record<string, Forger>

/** Puts a frame a few calls deeper. */
function within(dice: World['dice'], frame: Frame): Frame {
  let outer = frame
  for (let left = dice.below(4); left > 0; left -= 1) {
    outer = callFrame(dice.hex(20), dice.hex(20), 0n, { calls: [outer] })
  }
  return outer
}
