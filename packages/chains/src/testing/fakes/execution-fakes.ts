import { factsOf } from '../../evm/network/facts.ts'
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
  E2: ({ random, ours, tokens }) => {
    const to = random.pick(ours)
    const calls = [callFrame(random.hex(20), to, random.units())]
    // Some tracers do not mark the root of a transaction that failed: the receipt decides.
    const root = random.pick<Partial<Frame>>([{}, { error: undefined }, { error: '' }])
    const logs = random.chance(0.3)
      ? [transferLog(random.pick(tokens).address, random.hex(20), to, random.units())]
      : []
    return { to: random.pick([to, random.hex(20)]), value: random.units(), isFailed: true, logs, calls, root }
  },
  E3: ({ random, ours, nativeId }) => {
    const [to, units] = [random.pick(ours), random.units()]
    const undone = callFrame(random.hex(20), to, random.units())
    const failed = callFrame(random.hex(20), random.hex(20), 0n, { error: random.pick(REASONS), calls: [undone] })
    const succeeded = callFrame(random.hex(20), to, units)
    const calls = [within(random, failed), { ...undone, error: random.pick(REASONS) }, succeeded]
    return { calls, owed: [{ assetId: nativeId, to, units, leg: `internal:${to}:0` }] }
  },
  E15: ({ random, ours, nativeId }) => {
    const [to, units] = [random.pick(ours), random.units()]
    const repeat = (type: string) => callFrame(random.hex(20), to, random.units(), { type })
    const calls = [
      within(random, repeat(random.pick(['DELEGATECALL', 'CALLCODE', 'STATICCALL', 'delegatecall', 'AUTHCALL']))),
      callFrame(random.hex(20), to, units, { calls: [repeat('DELEGATECALL'), repeat('CALLCODE')] }),
    ]
    return { calls, owed: [{ assetId: nativeId, to, units, leg: `internal:${to}:0` }] }
  },
  E16: ({ random, ours, nativeId }) => {
    const [to, units, from] = [random.pick(ours), random.units(), random.hex(20)]
    const calls = [callFrame(to, random.hex(20), units), callFrame(to, random.hex(20), 0n)]
    return { from, to, value: units, calls, owed: [{ assetId: nativeId, to, units, leg: 'value' }] }
  },
  E17: ({ random, ours, nativeId }) => {
    const [to, units] = [random.pick(ours), random.units()]
    const gone = callFrame(random.hex(20), to, units, { type: 'SELFDESTRUCT' })
    const born = callFrame(random.hex(20), random.hex(20), 0n, {
      type: random.pick(['CREATE', 'CREATE2']),
      calls: [gone],
    })
    if (random.chance(0.3)) return { calls: [{ ...born, error: 'execution reverted' }] }
    if (random.chance(0.2))
      return {
        calls: [
          { ...gone, from: to },
          { ...gone, value: '0x0' },
        ],
      }
    return { calls: [born], owed: [{ assetId: nativeId, to, units, leg: `internal:${to}:0` }] }
  },
  E25: ({ random, ours, nativeId, chain }) => {
    const [from, to, units] = [random.hex(20), random.pick(ours), random.units()]
    const system = factsOf(chain).nativeTransferLog ?? SYSTEM
    const logs = [transferLog(system, from, to, units)]
    return { from, to, value: units, logs, owed: [{ assetId: nativeId, to, units, leg: 'value' }] }
  },
  E26: (world) => {
    const { random, ours, chain } = world
    const withoutSender = random.chance(0.5) ? NEAR_SYSTEM : SYSTEM
    const fake = withoutSender === factsOf(chain).nativeTransferLog ? NEAR_SYSTEM : withoutSender
    const logs = [noiseLog(world), transferLog(fake, random.hex(20), random.pick(ours), random.units())]
    return { logs: random.shuffle(logs) }
  },
} satisfies Record<string, Forger>

/** Fakes of chains that differ from Ethereum. */
export const chainFakes = {
  E27: ({ random, ours, nativeId }) => {
    const [from, to, units] = [random.hex(20), random.pick(ours), random.units()]
    const coin = '0x0000000000000000000000000000000000001010'
    const transfer = transferLog(coin, from, to, units)
    const detailed = { ...transfer, topics: [random.hex(32), ...transfer.topics.slice(1)], data: random.hex(160) }
    const logs = random.shuffle([transfer, detailed])
    if (random.chance(0.5)) return { from, to: coin, logs }
    return { from, to, value: units, logs, owed: [{ assetId: nativeId, to, units, leg: 'value' }] }
  },
  E29: ({ random, ours, nativeId }) => {
    const [from, to, units] = [random.hex(20), random.pick(ours), random.units()]
    const extra = { type: '0x7e', mint: toQuantity(units), sourceHash: random.hex(32), isSystemTx: false }
    const isFailed = random.chance(0.7)
    const root: Partial<Frame> = isFailed && random.chance(0.5) ? { error: undefined } : {}
    const calls = isFailed ? [callFrame(from, to, units)] : []
    const owed = isFailed ? [] : [{ assetId: nativeId, to, units, leg: 'value' }]
    return { from, to, value: units, extra, isFailed, root, calls, owed }
  },
} satisfies Record<string, Forger>

/** Puts a frame a few calls deeper. */
function within(random: World['random'], frame: Frame): Frame {
  let outer = frame
  for (let left = random.below(4); left > 0; left -= 1) {
    outer = callFrame(random.hex(20), random.hex(20), 0n, { calls: [outer] })
  }
  return outer
}
